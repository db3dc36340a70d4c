/**
 * A JSON value that loses nothing: objects are Maps (any key, in the order written, `__proto__` included) and a
 * number whose text is not what JavaScript would print for it keeps that text. Every form survives a structured
 * clone, so values can cross threads.
 */
export type JsonValue = null | boolean | number | string | ExactNumber | JsonArray | JsonObject
export type JsonArray = JsonValue[]
export type JsonObject = Map<string, JsonValue>

/** A number as it was written, such as `1.10`, `1e0`, `-0` or `750727362669608961`. */
export interface ExactNumber {
  readonly source: string
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value)
}

export function isJsonNumber(value: JsonValue | undefined): value is number | ExactNumber {
  if (typeof value === 'number') return true
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map)
}

const INTEGER = /^-?\d+$/
const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** Whether a number's text is an integer of 64 bits, which compares exactly; all others compare as doubles. */
export function isInt64Text(source: string): boolean {
  if (!INTEGER.test(source)) return false
  if (source.length < 19) return true
  if (source.length > 20) return false
  const integer = BigInt(source)
  return integer >= INT64_MIN && integer <= INT64_MAX
}

/**
 * The quantity that a number stands for: a bigint where a double can't hold it exactly, else a double.
 * JavaScript compares the two kinds by their mathematical values.
 */
export function quantity(value: number | ExactNumber): number | bigint {
  if (typeof value !== 'number') return textQuantity(value.source)
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : textQuantity(String(value))
}

/** By the text alone: JavaScript prints 2^62 as 4611686018427388000, which is another integer of 64 bits. */
function textQuantity(source: string): number | bigint {
  const double = Number(source.length > SIGNIFICANT_DIGITS ? significantPart(source) : source)
  if (Number.isSafeInteger(double) || !isInt64Text(source)) return double
  const integer = BigInt(source)
  return BigInt(double) === integer ? double : integer
}

const SIGNIFICANT_DIGITS = 19
/** Up to here 19 digits leave room for one more in an unsigned integer of 64 bits. */
const ROOM_FOR_ONE_MORE = 1844674407370955160n

/**
 * A number cut after the digits that decide its double: the first 19, or 20 where those fit 64 bits. SQLite reads
 * numbers so; doubles need 17 digits, so no two of them fall together, and every store can say the same.
 */
function significantPart(source: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = (integer + fraction).replace(/^0+/, '')
  if (digits.length <= SIGNIFICANT_DIGITS) return source
  const kept = SIGNIFICANT_DIGITS + (BigInt(digits.slice(0, SIGNIFICANT_DIGITS)) < ROOM_FOR_ONE_MORE ? 1 : 0)
  const scale = Number(exponent) - fraction.length + Math.max(0, digits.length - kept)
  return `${sign}${digits.slice(0, kept)}e${scale}`
}

/** The JSON value of an integer of 64 bits. */
export function jsonInteger(integer: bigint): number | ExactNumber {
  const double = Number(integer)
  return Number.isSafeInteger(double) ? double : { source: integer.toString() }
}
