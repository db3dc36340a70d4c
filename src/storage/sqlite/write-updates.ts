import { randomUUID } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { documentId, idValue } from '../../json/document-id.ts'
import { documentTooLarge, parseJson } from '../../json/exact.ts'
import { stringify } from '../../json/stringify.ts'
import type { JsonObject, JsonValue } from '../../json/value.ts'
import { applyUpdate, insertFromUpdate } from '../../update/apply.ts'
import type { PlaceholderSource, Update } from '../../update/ast.ts'
import { seedFromFilter } from '../../update/seed.ts'
import { unpackedUpdate } from '../packed.ts'
import type { UpdatedDocument, UpdateManyResult, UpdateOneCommand } from '../store.ts'
import type { StoredCollection } from './catalog.ts'
import { placesToWrite } from './places-to-write.ts'
import type { FindFirst, UpdateManyRequest } from './requests.ts'
import { checkDeadline, type WriteContext } from './write-context.ts'
import { insertDocument, replaceDocument } from './write-documents.ts'
import { requireCreate, requireUpdate } from './write-permission.ts'

const STORED = { nestingLevels: Number.POSITIVE_INFINITY }

/** What is to be done to a document. */
interface Work {
  readonly update: Update
  readonly now: number
}

export function updateOne(context: WriteContext, command: UpdateOneCommand): UpdatedDocument {
  const { connection } = context
  const collection = connection.catalog.collectionToWrite(command.collection)
  const select = `SELECT seq, json(doc) FROM ${collection.table} WHERE id = ?`
  for (const id of command.ids) {
    const row = connection.row<[number, string]>(select, id)
    if (row === undefined) continue
    // Before the update is tried, for whether it can be applied tells about the document.
    requireUpdate(command.permitted)
    const [place, before] = row
    const change = changeOf(context, before, command)
    if (change.after !== before) replaceDocument(context, collection, { place, ...change })
    return { text: change.after, created: false }
  }
  requireCreate(command.permitted)
  const seed: JsonObject = new Map([['_id', idValue(command.createId)]])
  return { text: insertUpserted(context, collection, seed, command), created: true }
}

export function updateMany(context: WriteContext, command: UpdateManyRequest): UpdateManyResult | FindFirst {
  const { connection } = context
  const collection = connection.catalog.collection(command.collection)
  if (collection === undefined) return noneMatched(context, command)
  const places = placesToWrite(context, collection, command)
  if ('mark' in places) return places
  if (places.length === 0) return noneMatched(context, command)
  const work = { update: unpackedUpdate(command.update), now: command.now }
  let modified = 0
  for (const place of places) {
    checkDeadline(context.deadline)
    const select = `SELECT json(doc) FROM ${collection.table} WHERE seq = ?`
    const [before] = connection.row<[string]>(select, place)!
    const change = changeOf(context, before, work)
    if (change.after === before) continue
    replaceDocument(context, collection, { place, ...change })
    modified++
  }
  return { matched: places.length, modified, created: 0 }
}

function noneMatched(context: WriteContext, command: UpdateManyRequest): UpdateManyResult {
  const { filter, upsert, now } = command
  if (!upsert) return { matched: 0, modified: 0, created: 0 }
  const collection = context.connection.catalog.collectionToWrite(command.collection)
  const update = unpackedUpdate(command.update)
  insertUpserted(context, collection, seedFromFilter(filter, update.kind), { update, now })
  return { matched: 0, modified: 0, created: 1 }
}

function insertUpserted(
  context: WriteContext,
  collection: StoredCollection,
  seed: JsonObject,
  { update, now }: Work,
): string {
  const { limits } = context
  const made = insertFromUpdate({ seed, update, placeholders: placeholders(context, now), limits })
  const document = made.has('_id') ? made : new Map<string, JsonValue>([['_id', context.nextUlid()], ...made])
  const id = documentId(document.get('_id')!)
  const text = checkedText(context, document)
  if (context.connection.row(`SELECT 1 FROM ${collection.table} WHERE id = ?`, id) !== undefined)
    throw new AppError(
      'update_not_applicable',
      'nothing matches q, yet a document with the _id of the new one exists: it matches the _id, not the rest',
    )
  insertDocument(context, collection, { id, text })
  return text
}

function changeOf(context: WriteContext, before: string, { update, now }: Work) {
  const document = parseJson(before, STORED) as JsonObject
  const { limits } = context
  const result = applyUpdate({ document, update, placeholders: placeholders(context, now), limits })
  return { before, after: checkedText(context, result), parsed: { before: document, after: result } }
}

function checkedText({ limits }: WriteContext, document: JsonObject): string {
  const text = stringify(document)
  if (text.length * 3 > limits.documentBytes && Buffer.byteLength(text) > limits.documentBytes)
    throw documentTooLarge(limits.documentBytes)
  return text
}

function placeholders({ nextUlid, serviceNames }: WriteContext, now: number): PlaceholderSource {
  return { now, unique: nextUlid, uuid: randomUUID, serviceNames }
}
