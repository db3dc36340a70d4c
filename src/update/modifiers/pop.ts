import type { Path } from '../../json/path.ts'
import { isJsonArray, isJsonNumber, type JsonValue, quantity } from '../../json/value.ts'
import type { ModifierAction } from '../ast.ts'
import { invalidUpdate, notApplicable, shownPath } from '../describe.ts'

/** @throws AppError `invalid_update` */
export function parsePop(operand: JsonValue, path: Path): ModifierAction {
  const amount = isJsonNumber(operand) ? quantity(operand) : undefined
  if (amount === 1) return { kind: 'pop', end: 'last' }
  if (amount === -1) return { kind: 'pop', end: 'first' }
  throw invalidUpdate(`$pop takes 1 (the last element) or -1 (the first) for ${shownPath(path)}`)
}

/** @throws AppError `update_not_applicable` */
export function pop(value: JsonValue, end: 'first' | 'last', path: Path): JsonValue {
  if (!isJsonArray(value)) throw notApplicable('$pop', path, value, 'an array')
  if (value.length === 0) return value
  return end === 'first' ? value.slice(1) : value.slice(0, -1)
}
