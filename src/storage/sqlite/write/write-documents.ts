import type { DocumentId } from '../../../domain/document.ts'
import { deadlineCheck } from '../compile/deadline-check.ts'
import type { StoredCollection } from '../files/catalog.ts'
import { changeIndexes, type DocumentChange } from '../index/index-maintenance.ts'
import { checkDeadline, countDocuments, type WriteContext } from './write-context.ts'

/*
 * All that is ever done to documents goes through here, together with all that has to know of it: the counts, the
 * indexes, and the logs of changes.
 */

/** Documents that one statement deletes, between looks at the clock. */
const REMOVED_AT_ONCE = 1000

/** A document where it is stored. */
export interface StoredDocument {
  readonly rowId: number
  readonly text: string
}

/** The document with an id, if there is one. */
export function documentById(
  { connection }: WriteContext,
  { table }: StoredCollection,
  id: DocumentId,
): StoredDocument | undefined {
  const row = connection.row<[number, string]>(`SELECT seq, json(doc) FROM ${table} WHERE id = ?`, id)
  return row === undefined ? undefined : { rowId: row[0], text: row[1] }
}

export interface NewDocument {
  readonly id: DocumentId
  readonly text: string
  /** Without it, behind all others in natural order. */
  readonly rowId?: number | undefined
}

/** Saves a new document. */
export function insertDocument(
  context: WriteContext,
  collection: StoredCollection,
  document: NewDocument,
): void {
  insertUnlessThere(context, collection, document, '')
}

/** Saves a document unless there is one with its id; says whether it did. */
export function insertIfNew(
  context: WriteContext,
  collection: StoredCollection,
  document: NewDocument,
): boolean {
  return insertUnlessThere(context, collection, document, ' ON CONFLICT (id) DO NOTHING')
}

function insertUnlessThere(
  context: WriteContext,
  collection: StoredCollection,
  { id, text, rowId = context.connection.catalog.nextRowId(collection) }: NewDocument,
  conflict: string,
): boolean {
  const { connection, tally } = context
  const { table } = collection
  const sql = `INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?))${conflict}`
  if (connection.run(sql, rowId, id, text) === 0) return false
  connection.catalog.takeRowId(collection, rowId)
  countDocuments(tally.counts, collection.id, 1)
  changeIndexes(context, collection, { rowId, after: text })
  return true
}

/** Puts a text in the place of the document with an id; says whether there was one. */
export function overwriteDocument(
  context: WriteContext,
  collection: StoredCollection,
  { id, text }: { id: DocumentId; text: string },
): boolean {
  const { app, changes, connection } = context
  const { table } = collection
  const isWatched = changes.of(app, collection) !== undefined
  // Otherwise nothing has to know what was there, and where.
  if (!isWatched && connection.catalog.indexesOf(collection).length === 0)
    return connection.run(`UPDATE ${table} SET doc = jsonb(?) WHERE id = ?`, text, id) > 0
  const found = documentById(context, collection, id)
  if (found === undefined) return false
  replaceDocument(context, collection, { rowId: found.rowId, before: found.text, after: text })
  return true
}

/** Puts a text in the place of the document at a row id. */
export function replaceDocument(
  context: WriteContext,
  collection: StoredCollection,
  change: DocumentChange & { readonly after: string },
): void {
  const { rowId, after } = change
  context.changes.of(context.app, collection)?.note(rowId)
  context.connection.run(`UPDATE ${collection.table} SET doc = jsonb(?) WHERE seq = ?`, after, rowId)
  changeIndexes(context, collection, change)
}

/** Deletes the document with an id, and answers it; undefined where there is none. */
export function removeById(
  context: WriteContext,
  collection: StoredCollection,
  id: DocumentId,
): string | undefined {
  return removeWhere(context, collection, { column: 'id', value: id })
}

/** Deletes the document at a row id, if there is one. */
export function removeAt(context: WriteContext, collection: StoredCollection, rowId: number): void {
  removeWhere(context, collection, { column: 'seq', value: rowId })
}

function removeWhere(
  context: WriteContext,
  collection: StoredCollection,
  { column, value }: { column: 'id' | 'seq'; value: DocumentId },
): string | undefined {
  const { app, changes, connection, tally } = context
  const remove = `DELETE FROM ${collection.table} WHERE ${column} = ? RETURNING seq, json(doc)`
  const row = connection.row<[number, string]>(remove, value)
  if (row === undefined) return undefined
  const [rowId, before] = row
  changes.of(app, collection)?.note(rowId)
  countDocuments(tally.counts, collection.id, -1)
  changeIndexes(context, collection, { rowId, before })
  return before
}

/** Deletes the documents at row ids. @throws AppError `deadline_exceeded` */
export function removeRowIds(
  context: WriteContext,
  collection: StoredCollection,
  rowIds: readonly number[],
): void {
  // An index has to know what was there.
  if (context.connection.catalog.indexesOf(collection).length === 0)
    removeUnindexed(context, collection, rowIds)
  else
    for (const value of rowIds) {
      checkDeadline(context.deadline)
      removeAt(context, collection, value)
    }
}

function removeUnindexed(
  context: WriteContext,
  collection: StoredCollection,
  rowIds: readonly number[],
): void {
  const { app, changes, connection, tally } = context
  const log = changes.of(app, collection)
  const remove = `DELETE FROM ${collection.table} WHERE seq IN (SELECT value FROM json_each(?))`
  for (let from = 0; from < rowIds.length; from += REMOVED_AT_ONCE) {
    checkDeadline(context.deadline)
    const next = rowIds.slice(from, from + REMOVED_AT_ONCE)
    connection.run(remove, JSON.stringify(next))
    for (const rowId of next) log?.note(rowId)
  }
  countDocuments(tally.counts, collection.id, -rowIds.length)
}

/**
 * Deletes all documents, in one statement for each table, for nothing has to know what was there. An index that is
 * being built holds nothing up to its row id from here on, as it should. @throws AppError `deadline_exceeded`
 */
export function removeEvery(context: WriteContext, collection: StoredCollection): number {
  const { connection, deadline, tally } = context
  context.changes.forget(context.app, collection)
  for (const { state, table } of connection.catalog.indexesOf(collection)) {
    checkDeadline(deadline)
    // Whoever drops an index empties it by and by.
    if (state !== 'dropping') connection.run(`DELETE FROM ${table}`)
  }
  const sql = `DELETE FROM ${collection.table} WHERE ${deadlineCheck('seq')}`
  const deleted = connection.run(sql, { deadline })
  countDocuments(tally.counts, collection.id, -deleted)
  return deleted
}
