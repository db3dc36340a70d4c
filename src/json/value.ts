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
  if (typeof value === 'number') return value
  const double = Number(value.source)
  if (Number.isSafeInteger(double) || !isInt64Text(value.source)) return double
  return BigInt(value.source)
}

/** The JSON value of an integer of 64 bits. */
export function jsonInteger(integer: bigint): number | ExactNumber {
  const double = Number(integer)
  return Number.isSafeInteger(double) ? double : { source: integer.toString() }
}
