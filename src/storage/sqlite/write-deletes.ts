import type { CollectionAddress, DeleteOneCommand } from '../store.ts'
import type { StoredCollection } from './catalog.ts'
import { IN_TIME, isEveryDocument } from './compile-filter.ts'
import { changeIndexes } from './index-maintenance.ts'
import { placesToWrite } from './places-to-write.ts'
import type { DeleteManyRequest, FindFirst } from './requests.ts'
import { checkDeadline, countDocuments, type WriteContext } from './write-context.ts'
import { removeDocument, removeUnindexed } from './write-documents.ts'

export function deleteOne(context: WriteContext, command: DeleteOneCommand): string | undefined {
  const { connection, tally } = context
  const collection = connection.catalog.collection(command.collection)
  if (collection === undefined) return undefined
  const remove = `DELETE FROM ${collection.table} WHERE id = ? RETURNING seq, json(doc)`
  for (const id of command.ids) {
    const row = connection.row<[number, string]>(remove, id)
    if (row === undefined) continue
    const [place, before] = row
    context.changes.of(context.app, collection)?.note(place)
    countDocuments(tally.counts, collection.id, -1)
    changeIndexes(context, collection, { place, before })
    return before
  }
  return undefined
}

export function deleteMany(context: WriteContext, command: DeleteManyRequest): number | FindFirst {
  const { catalog } = context.connection
  const collection = catalog.collection(command.collection)
  if (collection === undefined) return 0
  if (isEveryDocument(command.filter)) return deleteEvery(context, collection)
  const places = placesToWrite(context, collection, { ...command, multi: true })
  if ('mark' in places) return places
  if (catalog.indexesOf(collection).length === 0) removeUnindexed(context, collection, places)
  else
    for (const place of places) {
      checkDeadline(context.deadline)
      removeDocument(context, collection, place)
    }
  return places.length
}

/**
 * All in one statement for each table, for nothing has to know what was there. An index that is being built holds
 * nothing up to its place from here on, as it should.
 */
function deleteEvery(context: WriteContext, collection: StoredCollection): number {
  const { connection, deadline, tally } = context
  context.changes.forget(context.app, collection)
  for (const { state, table } of connection.catalog.indexesOf(collection)) {
    checkDeadline(deadline)
    // Whoever drops an index empties it by and by.
    if (state !== 'dropping') connection.run(`DELETE FROM ${table}`)
  }
  connection.functions.bind({ conditions: [], sort: [], deadline })
  const deleted = connection.run(`DELETE FROM ${collection.table} WHERE ${IN_TIME}`)
  countDocuments(tally.counts, collection.id, -deleted)
  return deleted
}

export function dropCollection({ connection }: WriteContext, address: CollectionAddress): boolean {
  const { catalog } = connection
  const collection = catalog.collection(address.collection)
  if (collection === undefined) return false
  for (const index of catalog.indexesOf(collection)) connection.run(`DROP TABLE ${index.table}`)
  connection.run('DELETE FROM indexes WHERE collection = ?', collection.id)
  connection.run(`DROP TABLE ${collection.table}`)
  connection.run('DELETE FROM collections WHERE id = ?', collection.id)
  catalog.forget()
  return true
}
