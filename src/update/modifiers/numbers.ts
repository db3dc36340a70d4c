import type { Path } from '../../json/path.ts'
import { type ExactNumber, isInt64Text, isJsonNumber, type JsonValue, quantity } from '../../json/value.ts'
import { invalidUpdate, shownPath } from '../describe.ts'

/**
 * The operand of `$inc` and `$mul`.
 * @throws AppError `invalid_update`
 */
export function numberOperand(value: JsonValue, modifier: string, path: Path): number | ExactNumber {
  if (isJsonNumber(value)) return value
  throw invalidUpdate(`${modifier} takes a number for ${shownPath(path)}, such as {"${modifier}":{"n":1}}`)
}

/**
 * A whole number in any notation (`2`, `2.0`, `2e0`), such as a position; it may be further away than any
 * array is long.
 * @throws AppError `invalid_update`
 */
export function wholeNumber(value: JsonValue, name: string): number {
  const number = isJsonNumber(value) ? Number(quantity(value)) : undefined
  if (Number.isInteger(number)) return number!
  throw invalidUpdate(`${name} takes a whole number`)
}

/** An integer of 64 bits, or undefined for every other number: `1.0` is a double. */
export function int64(value: JsonValue | undefined): bigint | undefined {
  if (!isJsonNumber(value)) return undefined
  const source = typeof value === 'number' ? String(value) : value.source
  return isInt64Text(source) ? BigInt(source) : undefined
}
