import { isUtf8 } from 'node:buffer'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { documentTooLarge } from '../json/document-too-large.ts'
import { parseJson } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonValue } from '../json/value.ts'
import { isJsonObject } from '../json/value.ts'

/** An escape such as \u0041 takes this many times the bytes of what it stands for. */
export const LONGEST_FORM = 6
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b

/**
 * The text of a request's body. One that can't hold an acceptable document is refused before it is decoded.
 * @throws AppError `invalid_unicode`, `invalid_json` where there is none, `document_too_large`
 */
export function bodyText(body: Buffer, { documentBytes }: Limits): string {
  if (body.length === 0) throw new AppError('invalid_json', 'the body is empty; it should be a JSON object')
  if (body.length > documentBytes * LONGEST_FORM) refuseHopeless(body, documentBytes)
  return decodeUtf8(body)
}

/**
 * A byte order mark before the text is skipped (RFC 8259, section 8.1).
 * @throws AppError `invalid_unicode` where the bytes are not UTF-8
 */
function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new AppError('invalid_unicode', 'the body is not valid UTF-8')
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0)
}

function refuseHopeless(body: Buffer, documentBytes: number): void {
  let begin = 0
  while (isWhitespace(body[begin])) begin++
  const first = body[begin]
  if (first === OPEN_ARRAY || isMark(body, begin)) return
  if (first !== OPEN_OBJECT)
    throw new AppError('invalid_json', 'the body is not valid JSON: an object or an array should begin it')
  let end = body.length
  while (isWhitespace(body[end - 1])) end--
  if (end - begin > documentBytes * LONGEST_FORM) throw documentTooLarge(documentBytes)
}

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** A byte order mark, which the parser skips. */
function isMark(body: Buffer, begin: number): boolean {
  return begin === 0 && body[0] === 0xef
}

/**
 * The value of a PUT's body, which may not be longer than a document, for it is parsed in one go.
 * @throws AppError as `bodyText` and `parseJson` do
 */
export function parseBody(body: Buffer, limits: Limits): JsonValue {
  const { nestingLevels, documentBytes } = limits
  return parseJson(bodyText(body, limits), { nestingLevels, maxBytes: documentBytes })
}

/** Of a stored document's text, the document with `_id` alone. */
export function onlyId(text: string): string {
  // What is stored may be older than today's limits.
  const document = parseJson(text, { nestingLevels: Number.POSITIVE_INFINITY })
  const id = isJsonObject(document) ? document.get('_id') : undefined
  return id === undefined ? '{}' : `{"_id":${stringify(id)}}`
}
