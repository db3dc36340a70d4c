import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { decodeUtf8, parseJson } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonValue } from '../json/value.ts'
import { isJsonObject } from '../json/value.ts'

/**
 * The text of a request's body.
 * @throws AppError `invalid_unicode`, `invalid_json` where there is none
 */
export function bodyText(body: Buffer): string {
  if (body.length === 0) throw new AppError('invalid_json', 'the body is empty; it should be a JSON object')
  return decodeUtf8(body)
}

/**
 * The value of a PUT's body, which may not be longer than a document, for it is parsed in one go.
 * @throws AppError as `bodyText` and `parseJson` do
 */
export function parseBody(body: Buffer, { nestingLevels, documentBytes }: Limits): JsonValue {
  return parseJson(bodyText(body), { nestingLevels, maxBytes: documentBytes })
}

/** Of a stored document's text, the document with `_id` alone. */
export function onlyId(text: string): string {
  // What is stored may be older than today's limits.
  const document = parseJson(text, { nestingLevels: Number.POSITIVE_INFINITY })
  const id = isJsonObject(document) ? document.get('_id') : undefined
  return id === undefined ? '{}' : `{"_id":${stringify(id)}}`
}
