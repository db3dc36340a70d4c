import { randomUUID } from 'node:crypto'
import type { DocumentId } from '../domain/document.ts'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { documentId } from '../json/document-id.ts'
import { documentTooLarge, documentTooLargeForApp } from '../json/document-too-large.ts'
import { storedDocument } from '../json/stored.ts'
import { stringify } from '../json/stringify.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import { applyUpdate, insertFromUpdate } from './apply.ts'
import type { PlaceholderSource, Update } from './ast.ts'

/** What every engine keeps to when it makes a document. */
export interface DocumentRules {
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** A ULID greater than every one before it. */
  readonly nextUlid: () => string
}

/** What is to be done to a document. */
export interface Making {
  readonly update: Update
  /** The app's own limit of a document, beside that of `DocumentRules`. */
  readonly documentBytes?: number | undefined
  /** The request's instant in milliseconds since the Unix epoch. */
  readonly now: number
}

export interface ChangedDocument {
  readonly before: string
  /** The same text where the update changes nothing. */
  readonly after: string
  /** Both taken apart. */
  readonly parsed: { readonly before: JsonObject; readonly after: JsonObject }
}

/** @throws AppError what `applyUpdate` throws, and `document_too_large` */
export function changedDocument(
  rules: DocumentRules,
  before: string,
  { update, documentBytes, now }: Making,
): ChangedDocument {
  const document = storedDocument(before)
  const placeholders = placeholderSource(rules, now)
  const result = applyUpdate({ document, update, placeholders, limits: rules.limits })
  const after = checkedText(rules, result, documentBytes)
  return { before, after, parsed: { before: document, after: result } }
}

/**
 * The document of an update that found none; whoever saves it looks first whether its `_id` is free (`idIsTaken`).
 * @param seed its `_id` at most, or the equalities of a query
 * @throws AppError what `insertFromUpdate` throws, and `document_too_large`
 */
export function upsertedDocument(
  rules: DocumentRules,
  seed: JsonObject,
  { update, documentBytes, now }: Making,
): { id: DocumentId; idText: string; text: string } {
  const placeholders = placeholderSource(rules, now)
  const made = insertFromUpdate({ seed, update, placeholders, limits: rules.limits })
  const document = made.has('_id') ? made : new Map<string, JsonValue>([['_id', rules.nextUlid()], ...made])
  const id = document.get('_id')!
  return { id: documentId(id), idText: stringify(id), text: checkedText(rules, document, documentBytes) }
}

/** The refusal of an upsert that would make a second document of an `_id`. */
export function idIsTaken(): AppError {
  return new AppError(
    'update_not_applicable',
    'nothing matches q, yet a document with the _id of the new one exists: it matches the _id, not the rest',
  )
}

/** The text of a document that came without an `_id`, with the one that it is given: first. */
export function withAssignedId(text: string, id: string): string {
  const rest = text === '{}' ? '}' : `,${text.slice(1)}`
  return `{"_id":"${id}"${rest}`
}

function checkedText({ limits }: DocumentRules, document: JsonObject, ofApp: number | undefined): string {
  const text = stringify(document)
  if (isLonger(text, limits.documentBytes)) throw documentTooLarge(limits.documentBytes)
  if (ofApp !== undefined && isLonger(text, ofApp)) throw documentTooLargeForApp(ofApp)
  return text
}

function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes
}

function placeholderSource({ nextUlid, serviceNames }: DocumentRules, now: number): PlaceholderSource {
  return { now, unique: nextUlid, uuid: randomUUID, serviceNames }
}
