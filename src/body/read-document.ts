import type { DocumentId } from '../domain/document.ts'
import { AppError } from '../errors.ts'
import { documentId } from '../json/document-id.ts'
import { documentTooLarge } from '../json/document-too-large.ts'
import type { ExactParser } from '../json/exact.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { isJsonObject } from '../json/value.ts'
import type { PlaceholderSource } from '../update/ast.ts'
import { fillPlaceholders, mayHoldPlaceholder } from '../update/placeholders.ts'

/** A document ready for the store. */
export interface ReadDocument {
  readonly id?: DocumentId
  /** Compact JSON, placeholders filled. */
  readonly text: string
  /** The JSON text of `_id`, where the document has one. */
  readonly idText?: string
}

/** What an assigned `_id` adds to a document: `"_id":"`, a ULID, `",`. */
const ASSIGNED_ID_BYTES = 35

/**
 * Reads the next value of a text as a document to save. What stands there in compact form already is taken as it is
 * written, and not written anew.
 * @throws AppError `invalid_document`, `invalid_field_name`, `document_too_large`, and what the parser and
 * `documentId` throw
 */
export function readDocument(
  parser: ExactParser,
  source: PlaceholderSource,
  documentBytes: number,
): ReadDocument {
  const mark = parser.mark()
  const value = requireDocument(parser.value())
  const written = parser.compact ? parser.since(mark) : stringify(value)
  const filled = mayHoldPlaceholder(written, source.serviceNames)
    ? (fillPlaceholders(value, source) as JsonObject)
    : value
  const text = filled === value ? written : stringify(filled)
  return checkedDocument({ id: filled.get('_id'), text }, documentBytes)
}

/**
 * A document of an acceptable length and `_id`.
 * @throws AppError `document_too_large`, and as `documentId` does
 */
export function checkedDocument(
  { id, text }: { readonly id: JsonValue | undefined; readonly text: string },
  documentBytes: number,
): ReadDocument {
  const bytes = Buffer.byteLength(text) + idBytes(id)
  if (bytes > documentBytes) throw documentTooLarge(documentBytes)
  return id === undefined ? { text } : { id: documentId(id), idText: stringify(id), text }
}

/** What a document takes, with the `_id` that it gets where it has none. */
export function bytesOf({ text, idText }: ReadDocument): number {
  return Buffer.byteLength(text) + idBytes(idText)
}

/** What the `_id` that a document gets adds to it, where it has none. */
export function idBytes(id: unknown): number {
  return id === undefined ? ASSIGNED_ID_BYTES : 0
}

/** @throws AppError `invalid_document`, `invalid_field_name` */
export function requireDocument(value: JsonValue): JsonObject {
  if (!isJsonObject(value))
    throw new AppError('invalid_document', 'a document should be a JSON object; several go into one array')
  for (const key of value.keys())
    if (key.startsWith('$'))
      throw new AppError(
        'invalid_field_name',
        `a document's top-level fields may not start with $, as ${JSON.stringify(key.slice(0, 60))} does; ` +
          'modifiers go into a PUT',
      )
  return value
}
