import { stringify } from '../json/stringify.ts'
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../json/value.ts'

/** Code points of a text that are shown of a field, and of what is inside of one. */
export const FIELD_CHARACTERS = 100
export const INNER_CHARACTERS = 20
/** Members of an object, or elements of an array, that are shown, and the bytes of JSON that they take at most. */
export const FIRST_MEMBERS = 3
const FIRST_BYTES = 512
/** Bytes of JSON that the fields of a row take at most, and where the document has more bytes than the last of these. */
const FIELDS_BYTES = 8 * 1024
const LARGE_FIELDS_BYTES = 2400
const LARGE_DOCUMENT_BYTES = 64 * 1024

/** What a row says of a document beside its fields. */
interface Previewed {
  readonly id: JsonValue
  /** Of the whole document as compact JSON in UTF-8. */
  readonly bytes: number
}

/**
 * A document as a row of a list, so short that a hundred fit 256 KiB however large the documents are: `id`, `bytes`, its
 * `fields` without `_id` in their order as far as they fit, and how many more are `left`. Short texts, numbers, booleans
 * and null stand there as they are; in the place of what is longer or nested is an object with a member `text`, `object`
 * or `array`, so that no other object ever stands there.
 */
export function previewOf(document: JsonObject, { id, bytes }: Previewed): JsonObject {
  const room = roomForFields(bytes)
  const fields: JsonObject = new Map()
  let left = 0
  for (const [key, value] of document) {
    if (key === '_id') continue
    const shown = previewOfField(value)
    if (room.take(`${JSON.stringify(key)}:${stringify(shown)}`)) fields.set(key, shown)
    else left++
  }
  return objectOf({ id, bytes, fields, ...(left > 0 && { left }) })
}

export function previewOfField(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return objectOf({ array: value.length, first: firstOf(value.map(previewInside)) })
  if (!isJsonObject(value)) return previewOfScalar(value, FIELD_CHARACTERS)
  const members = Array.from(value, ([key, member]) => [key, previewInside(member)])
  return objectOf({ object: value.size, first: firstOf(members) })
}

function firstOf(members: readonly JsonValue[]): JsonArray {
  const room = roomForFirst()
  return members.slice(0, FIRST_MEMBERS).filter((member) => room.take(stringify(member)))
}

function previewInside(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return []
  return isJsonObject(value) ? new Map() : previewOfScalar(value, INNER_CHARACTERS)
}

function previewOfScalar(value: JsonValue, characters: number): JsonValue {
  const text = typeof value === 'string' ? beginningOf(value, characters) : undefined
  return text === undefined ? value : objectOf({ text, length: (value as string).length })
}

function objectOf(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return new Map(Object.entries(members))
}

/** The first code points of a text; undefined where it has no more. */
export function beginningOf(text: string, characters: number): string | undefined {
  if (text.length <= characters) return undefined
  let end = 0
  for (let taken = 0; taken < characters && end < text.length; taken++)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return end < text.length ? text.slice(0, end) : undefined
}

/** For the fields of a row. */
export function roomForFields(documentBytes: number): Room {
  return new Room(documentBytes > LARGE_DOCUMENT_BYTES ? LARGE_FIELDS_BYTES : FIELDS_BYTES)
}

/** For the first members of what is nested. */
export function roomForFirst(): Room {
  return new Room(FIRST_BYTES)
}

/** Takes texts of JSON until one of them doesn't fit. */
class Room {
  private bytes: number

  constructor(bytes: number) {
    this.bytes = bytes
  }

  /** Whether the text, and a comma, fits, and so did all before it. */
  take(text: string): boolean {
    this.bytes -= Buffer.byteLength(text) + 1
    return this.bytes >= 0
  }
}
