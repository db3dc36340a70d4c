import type { DocumentId } from '../../domain/document.ts'
import type { StoredCollection } from './catalog.ts'
import { changeIndexes } from './index-maintenance.ts'
import { countDocuments, type WriteContext } from './write-context.ts'

/** Saves a new document, behind all others in natural order. */
export function insertDocument(
  context: WriteContext,
  collection: StoredCollection,
  document: { id: DocumentId; text: string },
): void {
  insertUnlessThere(context, collection, document, '')
}

/** Saves a document unless there is one with its id; says whether it did. */
export function insertIfNew(
  context: WriteContext,
  collection: StoredCollection,
  document: { id: DocumentId; text: string },
): boolean {
  return insertUnlessThere(context, collection, document, ' ON CONFLICT (id) DO NOTHING')
}

function insertUnlessThere(
  context: WriteContext,
  collection: StoredCollection,
  { id, text }: { id: DocumentId; text: string },
  conflict: string,
): boolean {
  const { connection, tally } = context
  const { table } = collection
  const place = connection.catalog.nextPlace(collection)
  const sql = `INSERT INTO ${table} (seq, id, doc) VALUES (?, ?, jsonb(?))${conflict}`
  if (connection.run(sql, place, id, text) === 0) return false
  connection.catalog.takePlace(collection, place)
  countDocuments(tally.counts, collection.id, 1)
  changeIndexes(context, collection, { place, after: text })
  return true
}

/** Puts a text in the place of the document at a place. */
export function replaceDocument(
  context: WriteContext,
  collection: StoredCollection,
  change: { place: number; before: string; after: string },
): void {
  const { place, after } = change
  context.connection.run(`UPDATE ${collection.table} SET doc = jsonb(?) WHERE seq = ?`, after, place)
  changeIndexes(context, collection, change)
}

export function removeDocument(
  context: WriteContext,
  collection: StoredCollection,
  { place, before }: { place: number; before: string },
): void {
  context.connection.run(`DELETE FROM ${collection.table} WHERE seq = ?`, place)
  countDocuments(context.tally.counts, collection.id, -1)
  changeIndexes(context, collection, { place, before })
}
