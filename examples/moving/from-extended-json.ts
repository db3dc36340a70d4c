import type { JsonObject, JsonValue } from '../../src/json/value.ts'
import { isJsonObject } from '../../src/json/value.ts'
import { parse } from './read-documents.ts'

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const LAST_YEAR_OF_FOUR_DIGITS = 253_402_300_799_999
const FIRST_YEAR_OF_FOUR_DIGITS = -62_167_219_200_000

/** How dates are kept: as objects that compare as dates do, or as bare texts, which do so as well. */
export type Dates = 'object' | 'text'

/**
 * What a document of MongoDB's Extended JSON (of any version) is in Sheaf. Numbers become numbers, digit for digit; dates
 * `{"$date":"…Z"}` or texts; an ObjectId that is the `_id` its 24 digits. What JSON has no word for stays as it is written.
 */
export function fromExtendedJson(document: JsonObject, dates: Dates): JsonObject {
  const result: JsonObject = new Map()
  for (const [key, value] of document)
    result.set(key, key === '_id' ? convertId(value, dates) : convert(value, dates))
  return result
}

function convertId(value: JsonValue, dates: Dates): JsonValue {
  const [kind, inner] = wrapper(value)
  const isText = (kind === '$oid' || kind === '$uuid') && typeof inner === 'string'
  return isText ? inner : convert(value, dates)
}

function convert(value: JsonValue, dates: Dates): JsonValue {
  if (Array.isArray(value)) return value.map((element) => convert(element, dates))
  if (!isJsonObject(value)) return value
  const [kind, inner] = wrapper(value)
  if (kind === '$numberInt' || kind === '$numberLong' || kind === '$numberDouble')
    return convertNumber(inner) ?? value
  if (kind === '$date') return convertDate(inner, dates) ?? value
  return new Map([...value].map(([key, member]) => [key, convert(member, dates)]))
}

/** The one member of an object that has no other and whose key begins with `$`. */
function wrapper(value: JsonValue): [kind: string | undefined, inner: JsonValue | undefined] {
  if (!isJsonObject(value) || value.size !== 1) return [undefined, undefined]
  const [[key, inner]] = value as unknown as [[string, JsonValue]]
  return key.startsWith('$') ? [key, inner] : [undefined, undefined]
}

/** NaN and the infinities are no numbers of JSON. */
function convertNumber(inner: JsonValue | undefined): JsonValue | undefined {
  if (typeof inner === 'number') return inner
  return typeof inner === 'string' && JSON_NUMBER.test(inner) ? parse(inner, inner) : undefined
}

function convertDate(inner: JsonValue | undefined, dates: Dates): JsonValue | undefined {
  const [kind, milliseconds] = wrapper(inner ?? null)
  const written = kind === '$numberLong' ? Number(milliseconds) : inner
  const time = typeof written === 'string' ? Date.parse(written) : written
  // Years of more than four digits are written with a sign, and would not compare.
  if (typeof time !== 'number' || !(time >= FIRST_YEAR_OF_FOUR_DIGITS && time <= LAST_YEAR_OF_FOUR_DIGITS))
    return undefined
  const text = new Date(time).toISOString()
  return dates === 'text' ? text : new Map([['$date', text]])
}
