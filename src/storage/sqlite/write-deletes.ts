import type { CollectionAddress, DeleteManyCommand, DeleteOneCommand } from '../store.ts'
import type { StoredCollection } from './catalog.ts'
import { compileFilter, IN_TIME } from './compile-filter.ts'
import { changeIndexes } from './index-maintenance.ts'
import { matchingPlaces } from './matching-places.ts'
import { checkDeadline, countDocuments, type WriteContext } from './write-context.ts'
import { removeDocument } from './write-documents.ts'

export function deleteOne(context: WriteContext, command: DeleteOneCommand): string | undefined {
  const { connection, tally } = context
  const collection = connection.catalog.collection(command.collection)
  if (collection === undefined) return undefined
  const remove = `DELETE FROM ${collection.table} WHERE id = ? RETURNING seq, json(doc)`
  for (const id of command.ids) {
    const row = connection.row<[number, string]>(remove, id)
    if (row === undefined) continue
    const [place, before] = row
    countDocuments(tally.counts, collection.id, -1)
    changeIndexes(context, collection, { place, before })
    return before
  }
  return undefined
}

export function deleteMany(context: WriteContext, command: DeleteManyCommand): number {
  const { catalog } = context.connection
  const collection = catalog.collection(command.collection)
  if (collection === undefined) return 0
  if (catalog.indexesOf(collection).length === 0) return deleteUnindexed(context, collection, command)
  const places = matchingPlaces(context, collection, { filter: command.filter, limit: undefined })
  for (const place of places) {
    checkDeadline(context.deadline)
    const select = `SELECT json(doc) FROM ${collection.table} WHERE seq = ?`
    const [before] = context.connection.row<[string]>(select, place)!
    removeDocument(context, collection, { place, before })
  }
  return places.length
}

/** All in one statement, for nothing else has to know what was there. */
function deleteUnindexed(
  { connection, deadline, tally }: WriteContext,
  collection: StoredCollection,
  command: DeleteManyCommand,
): number {
  const filter = compileFilter(command.filter)
  connection.functions.bind({ conditions: filter.conditions, sort: [], deadline })
  const sql = `DELETE FROM ${collection.table} WHERE ${IN_TIME} AND ${filter.text}`
  const deleted = connection.run(sql, ...filter.parameters)
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
