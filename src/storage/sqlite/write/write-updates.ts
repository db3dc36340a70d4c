import { DocumentGrowth } from '../../../domain/document-growth.ts'
import { requireCreate, requireUpdate } from '../../../domain/permitted.ts'
import { requireCount, requirePrecondition } from '../../../domain/precondition.ts'
import { idValue } from '../../../json/document-id.ts'
import type { JsonObject } from '../../../json/value.ts'
import { changedDocument, idIsTaken, type Making, upsertedDocument } from '../../../update/make-document.ts'
import { seedFromFilter } from '../../../update/seed.ts'
import { unpackedUpdate } from '../../packed.ts'
import type { UpdatedDocument, UpdateManyCommand, UpdateManyResult, UpdateOneCommand } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { SearchRequired, UpdateManyRequest } from '../protocol/requests.ts'
import { selectWriteTargets } from './select-write-targets.ts'
import { checkDeadline, type WriteContext } from './write-context.ts'
import { documentById, insertIfNew, replaceDocument } from './write-documents.ts'

export function updateOne(context: WriteContext, command: UpdateOneCommand): UpdatedDocument {
  const collection = context.connection.catalog.collectionToWrite(command.collection)
  for (const id of command.ids) {
    const found = documentById(context, collection, id)
    if (found === undefined) continue
    const { rowId, text: before } = found
    // Before the update is tried, for whether it can be applied tells about the document.
    requireUpdate(command.permitted)
    requirePrecondition(command.precondition, before)
    const change = changedDocument(context, before, command)
    if (change.after !== before) replaceDocument(context, collection, { rowId, ...change })
    return { text: change.after, created: false }
  }
  requireCreate(command.permitted)
  requirePrecondition(command.precondition, undefined)
  const seed: JsonObject = new Map([['_id', idValue(command.createId)]])
  return { text: insertUpserted(context, collection, seed, command).text, created: true }
}

export function updateMany(
  context: WriteContext,
  command: UpdateManyRequest,
): UpdateManyResult | SearchRequired {
  const { connection } = context
  const collection = connection.catalog.collection(command.collection)
  if (collection === undefined) return noneMatched(context, command)
  const rowIds = selectWriteTargets(context, collection, command)
  if ('mark' in rowIds) return rowIds
  if (rowIds.length === 0) return noneMatched(context, command)
  requireCount(command.expected, rowIds.length)
  const { documentBytes, now } = command
  const making = { update: unpackedUpdate(command.update), documentBytes, now }
  const growth = growthOf(command)
  let modified = 0
  for (const rowId of rowIds) {
    checkDeadline(context.deadline)
    const select = `SELECT json(doc) FROM ${collection.table} WHERE seq = ?`
    const [before] = connection.row<[string]>(select, rowId)!
    const change = changedDocument(context, before, making)
    if (change.after === before) continue
    growth?.add(change.after, before)
    replaceDocument(context, collection, { rowId, ...change })
    modified++
  }
  return { matched: rowIds.length, modified, ...growth?.told() }
}

function noneMatched(context: WriteContext, command: UpdateManyRequest): UpdateManyResult {
  const { filter, upsert, documentBytes, now } = command
  requireCount(command.expected, 0)
  if (!upsert) return { matched: 0, modified: 0 }
  const collection = context.connection.catalog.collectionToWrite(command.collection)
  const update = unpackedUpdate(command.update)
  const seed = seedFromFilter(filter, update.kind)
  const { idText, text } = insertUpserted(context, collection, seed, { update, documentBytes, now })
  const growth = growthOf(command)
  growth?.add(text, '')
  return { matched: 0, modified: 0, upserted: idText, ...growth?.told() }
}

/** Counts by how much documents become longer where that is bounded. */
function growthOf({ roomBytes }: Pick<UpdateManyCommand, 'roomBytes'>): DocumentGrowth | undefined {
  return roomBytes === undefined ? undefined : new DocumentGrowth(roomBytes)
}

function insertUpserted(
  context: WriteContext,
  collection: StoredCollection,
  seed: JsonObject,
  making: Making,
): { idText: string; text: string } {
  const document = upsertedDocument(context, seed, making)
  if (!insertIfNew(context, collection, document)) throw idIsTaken()
  return document
}
