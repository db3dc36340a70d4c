import type { JsonValue } from '../json/value.ts'
import type { PackedDocuments, PackedUpdate } from '../storage/packed.ts'
import { packedBytes, packedText } from '../storage/packed.ts'
import type { DocumentToSave } from '../storage/store.ts'
import type { PlaceholderSource, Update } from '../update/ast.ts'
import { parseUpdate } from '../update/parse.ts'
import { givenId } from '../update/seed.ts'
import type { SentChanges } from './body-worker.ts'
import { onlyId, parseBody } from './parse-body.ts'
import { previewChanges } from './preview-changes.ts'
import { bytesOf, idBytes, type ReadDocument } from './read-document.ts'
import { readDocuments } from './read-documents.ts'
import { readNdjson } from './read-ndjson.ts'
import type { Body, BodyContext, BodyFormat } from './request-body.ts'

/**
 * Bytes up to which a body is taken apart at once, and units of a text: the worst of them take about 100 ns each.
 * Longer ones hold up nobody else, for they go to a thread of their own.
 */
const PARSED_HERE_BYTES = 32 * 1024

/** What a body holds that is to be saved. */
export interface ParsedSave {
  readonly isBulk: boolean
  readonly documents: readonly DocumentToSave[] | PackedDocuments
  readonly length: number
  readonly textOf: (index: number) => string
  /** What a document takes, with the `_id` that it gets where it has none. */
  readonly bytesOf: (index: number) => number
  /** The JSON text of a document's `_id`, where it has one. */
  readonly idTextOf: (index: number) => string | undefined
  /** What a document of a bulk is called, in refusals. */
  readonly nameOf: (index: number) => string
}

/** What a body holds that is to be done to documents. */
export interface ParsedUpdate {
  readonly kind: Update['kind']
  /** The `_id` in it, placeholders still in place. */
  readonly givenId: JsonValue | undefined
  readonly update: Update | PackedUpdate
}

/** @throws AppError as `readDocuments` and `readNdjson` do */
export async function readSave(context: BodyContext, body: Body, format: BodyFormat): Promise<ParsedSave> {
  if (lengthOf(body) > PARSED_HERE_BYTES) {
    const sent = { body, format, now: context.now() }
    const { isBulk, documents, idTexts, lines } = await context.bodyWorker.documents(sent)
    return {
      isBulk,
      documents,
      length: idTexts.length,
      textOf: (index) => packedText(documents, index),
      bytesOf: (index) => packedBytes(documents, index) + idBytes(idTexts[index]),
      idTextOf: (index) => idTexts[index],
      nameOf: (index) => documentName(index, lines),
    }
  }
  const source = placeholderSource(context)
  const read =
    format === 'ndjson'
      ? readNdjson(body, source, context.limits)
      : readDocuments(joined(body), source, context.limits)
  const { isBulk, documents, lines } = await read
  return {
    isBulk,
    documents: documents.map(toSave),
    length: documents.length,
    textOf: (index) => documents[index]!.text,
    bytesOf: (index) => bytesOf(documents[index]!),
    idTextOf: (index) => documents[index]!.idText,
    nameOf: (index) => documentName(index, lines),
  }
}

function documentName(index: number, lines: readonly number[] | undefined): string {
  return lines === undefined ? `the document at index ${index}` : `line ${lines[index]}`
}

/** @throws AppError as `parseBody` and `parseUpdate` do */
export function readUpdate(context: BodyContext, body: Body): ParsedUpdate | Promise<ParsedUpdate> {
  if (lengthOf(body) > PARSED_HERE_BYTES) return context.bodyWorker.update(body)
  const update = parseUpdate(parseBody(joined(body), context.limits), context.limits)
  return { kind: update.kind, givenId: givenId(update), update }
}

/** Of a stored document's text, the document with `_id` alone. */
export function readId({ bodyWorker }: BodyContext, text: string): string | Promise<string> {
  return text.length > PARSED_HERE_BYTES ? bodyWorker.onlyId(text) : onlyId(text)
}

/**
 * What the update in a body would make of documents.
 * @param documents the JSON text of an array of stored ones
 * @throws AppError as `previewChanges` does
 */
export function tryUpdate(
  context: BodyContext,
  { documents, body, documentBytes }: Omit<SentChanges, 'now'>,
): string | Promise<string> {
  const { limits, serviceNames, bodyWorker, unique } = context
  const now = context.now()
  if (lengthOf(body) + documents.length > PARSED_HERE_BYTES)
    return bodyWorker.changes({ documents, body, documentBytes, now })
  const tried = { documents, body: joined(body), documentBytes, now }
  return previewChanges({ limits, serviceNames, nextUlid: unique }, tried)
}

function lengthOf(body: Body): number {
  return body.reduce((sum, block) => sum + block.length, 0)
}

function joined(body: Body): Buffer {
  return body.length === 1 ? body[0]! : Buffer.concat(body)
}

function toSave({ id, text }: ReadDocument): DocumentToSave {
  return id === undefined ? { text } : { id, text }
}

function placeholderSource({ now, unique, uuid, serviceNames }: BodyContext): PlaceholderSource {
  return { now: now(), unique, uuid, serviceNames }
}
