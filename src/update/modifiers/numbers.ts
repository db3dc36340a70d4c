import type { AppError } from '../../errors.ts'
import type { Path } from '../../json/path.ts'
import { type ExactNumber, isInt64Text, isJsonNumber, type JsonValue, quantity } from '../../json/value.ts'
import { invalidUpdate, shownPath } from '../describe.ts'

/** The one placeholder that is filled with a number. */
const NUMBER_PLACEHOLDER = /\.ServerValue\.TIMESTAMP$/

/**
 * The operand of `$inc` and `$mul`, a placeholder still in its place.
 * @throws AppError `invalid_update`
 */
export function numberOperand(value: JsonValue, modifier: string, path: Path): number | ExactNumber | string {
  if (isJsonNumber(value) || (typeof value === 'string' && NUMBER_PLACEHOLDER.test(value))) return value
  throw notNumber(modifier, path)
}

/** What the operand has become. @throws AppError `invalid_update` where its placeholder was none */
export function filledNumber(value: JsonValue, modifier: string, path: Path): number | ExactNumber {
  if (isJsonNumber(value)) return value
  throw notNumber(modifier, path)
}

function notNumber(modifier: string, path: Path): AppError {
  return invalidUpdate(`${modifier} takes a number for ${shownPath(path)}, such as {"${modifier}":{"n":1}}`)
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

/** Digits of the longest integers of 64 bits. */
const INT64_DIGITS = 19
const ZERO = 0x30

/**
 * The integer of 64 bits that a number is, however it is written (`1`, `1.0`, `10e-1`, `9007199254740993.0`); undefined
 * for every other number. One that is no integer is the double that it reads as, and this may be one.
 */
export function exactInt64(value: number | ExactNumber): bigint | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  const integer = int64(value)
  if (integer !== undefined) return integer
  const double = Number(quantity(value))
  return Number.isInteger(double) ? within64Bits(BigInt(double)) : undefined
}

function integerOf(source: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const written = (whole + fraction).replace(/^0+/, '')
  let length = written.length
  while (length > 0 && written.charCodeAt(length - 1) === ZERO) length--
  if (length === 0) return 0n
  const zeros = Number(exponent) - fraction.length + written.length - length
  if (zeros < 0 || length + zeros > INT64_DIGITS) return undefined
  const digits = BigInt(written.slice(0, length)) * 10n ** BigInt(zeros)
  return within64Bits(sign === '-' ? -digits : digits)
}

/** The integer, undefined where it is beyond 64 bits. */
export function within64Bits(integer: bigint): bigint | undefined {
  return BigInt.asIntN(64, integer) === integer ? integer : undefined
}

/**
 * The integer of 64 bits that a number is, however it is written. Undefined for everything else, a number that is no
 * integer but whose nearest double is one included.
 */
export function int64(value: JsonValue | undefined): bigint | undefined {
  if (!isJsonNumber(value)) return undefined
  const source = typeof value === 'number' ? String(value) : value.source
  return isInt64Text(source) ? BigInt(source) : integerOf(source)
}
