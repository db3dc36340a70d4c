import { AppError } from '../errors.ts'
import { parseJson } from '../json/exact.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { isJsonNumber, isJsonObject } from '../json/value.ts'

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const OBJECT_ID = /^[0-9a-fA-F]{24}$/
const NUMBERS: ReadonlySet<string> = new Set(['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'])

/**
 * What a document of MongoDB's Extended JSON (version 2, canonical or relaxed, and version 1) is in Sheaf: an ObjectId its
 * 24 digits, numbers as they are written, a UUID that is the `_id` its text. Dates, and all that JSON has no word for, stay
 * as they are.
 * @see https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/
 * @returns the same where nothing in it is another value
 * @throws AppError `invalid_document`, `number_out_of_range`
 */
export function fromExtendedJson(document: JsonObject): JsonObject {
  const id = document.get('_id')
  if (isJsonObject(id) && id.size === 1 && typeof id.get('$uuid') === 'string') {
    const withId: JsonObject = new Map(document)
    withId.set('_id', id.get('$uuid')!)
    return convertMembers(withId)
  }
  return convertMembers(document)
}

function convert(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return convertElements(value)
  if (!isJsonObject(value)) return value
  for (const key of value.keys()) {
    if (key === '$oid') return convertObjectId(value)
    if (NUMBERS.has(key)) return convertNumber(value, key)
    // A date of the canonical form has a number in it, as which it would be another date.
    if (key === '$date' && value.size === 1) return value
  }
  return convertMembers(value)
}

/** Copied from the first element on that is another one. */
function convertElements(array: JsonValue[]): JsonValue[] {
  let converted: JsonValue[] | undefined
  for (const [index, element] of array.entries()) {
    const value = convert(element)
    if (value !== element) converted ??= array.slice()
    if (converted !== undefined) converted[index] = value
  }
  return converted ?? array
}

function convertMembers(object: JsonObject): JsonObject {
  let converted: JsonObject | undefined
  for (const [key, member] of object) {
    const value = convert(member)
    if (value === member) continue
    converted ??= new Map(object)
    converted.set(key, value)
  }
  return converted ?? object
}

function convertObjectId(value: JsonObject): string {
  const id = value.get('$oid')!
  if (value.size === 1 && typeof id === 'string' && OBJECT_ID.test(id)) return id
  throw new AppError(
    'invalid_document',
    'in extended JSON $oid stands alone in its object, with 24 hexadecimal digits as its text; write it so, or ' +
      'import the file as plain JSON, which leaves it as it is',
  )
}

function convertNumber(value: JsonObject, kind: string): JsonValue {
  const inner = value.get(kind)!
  if (value.size === 1 && isJsonNumber(inner)) return inner
  if (value.size === 1 && typeof inner === 'string' && JSON_NUMBER.test(inner))
    return parseJson(inner, { nestingLevels: 0 })
  throw new AppError(
    'invalid_document',
    `in extended JSON ${kind} stands alone in its object, with a number of JSON as its text; NaN and Infinity are ` +
      'none, so that they can be kept as texts or left out',
  )
}
