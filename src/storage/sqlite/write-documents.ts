import type { DocumentId } from '../../domain/document.ts'
import type { StoredCollection } from './catalog.ts'
import { changeIndexes, type DocumentChange } from './index-maintenance.ts'
import { checkDeadline, countDocuments, type WriteContext } from './write-context.ts'

/** Documents that one statement deletes, between looks at the clock. */
const REMOVED_AT_ONCE = 1000

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
  change: DocumentChange & { readonly after: string },
): void {
  const { place, after } = change
  context.changes.of(context.app, collection)?.note(place)
  context.connection.run(`UPDATE ${collection.table} SET doc = jsonb(?) WHERE seq = ?`, after, place)
  changeIndexes(context, collection, change)
}

/** Deletes the document at a place. */
export function removeDocument(context: WriteContext, collection: StoredCollection, place: number): void {
  const { connection, tally } = context
  context.changes.of(context.app, collection)?.note(place)
  const remove = `DELETE FROM ${collection.table} WHERE seq = ? RETURNING json(doc)`
  const [before] = connection.row<[string]>(remove, place)!
  countDocuments(tally.counts, collection.id, -1)
  changeIndexes(context, collection, { place, before })
}

/** The same for many documents of a collection that has no index, which would have to know what was there. */
export function removeUnindexed(
  context: WriteContext,
  collection: StoredCollection,
  places: readonly number[],
): void {
  const { connection, tally } = context
  const changes = context.changes.of(context.app, collection)
  const remove = `DELETE FROM ${collection.table} WHERE seq IN (SELECT value FROM json_each(?))`
  for (let from = 0; from < places.length; from += REMOVED_AT_ONCE) {
    checkDeadline(context.deadline)
    const next = places.slice(from, from + REMOVED_AT_ONCE)
    connection.run(remove, JSON.stringify(next))
    for (const place of next) changes?.note(place)
  }
  countDocuments(tally.counts, collection.id, -places.length)
}
