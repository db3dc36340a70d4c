import { compareValues } from '../../json/compare.ts'
import type { JsonValue } from '../../json/value.ts'

/** `$min` in the one order of all values; an equal value stays as it was written. */
export function lesser(value: JsonValue | undefined, operand: JsonValue): JsonValue {
  return value === undefined || compareValues(operand, value) < 0 ? operand : value
}

/** `$max`: as `$min`, the other way round. */
export function greater(value: JsonValue | undefined, operand: JsonValue): JsonValue {
  return value === undefined || compareValues(operand, value) > 0 ? operand : value
}
