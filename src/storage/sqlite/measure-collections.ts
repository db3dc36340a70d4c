import type { CollectionBytes } from '../../analytics/pack.ts'
import type { Connection } from './files/connection.ts'
import { measure } from './read/measure.ts'

/** In a larger file, the pages of indexes are not gone through, for that would take seconds. */
const COUNTED_BYTES = 256 * 1024 * 1024

/**
 * How much each collection of an app takes: of documents about as much as a few of them say, of indexes their pages. Where the
 * file is large, these are reckoned, as what documents don't take of it.
 */
export function measureCollections(connection: Connection, countedBytes = COUNTED_BYTES): CollectionBytes[] {
  connection.catalog.forget()
  const { bytes: all, collections } = measure(connection)
  const sizes = collections.map(({ name, documents, approximateBytes: bytes, indexes }) => ({
    ...{ name, documents, bytes, indexes },
  }))
  if (all <= countedBytes)
    return sizes.map(({ indexes, ...size }) => ({
      ...size,
      indexBytes: indexes === 0 ? 0 : pagesOfIndexes(connection, size.name),
    }))
  const ofIndexes = Math.max(0, all - sizes.reduce((sum, { bytes }) => sum + bytes, 0))
  const entries = sizes.reduce((sum, { documents, indexes }) => sum + documents * indexes, 0)
  return sizes.map(({ indexes, ...size }) => ({
    ...size,
    indexBytes: entries === 0 ? 0 : Math.round((ofIndexes * size.documents * indexes) / entries),
  }))
}

function pagesOfIndexes(connection: Connection, collection: string): number {
  const stored = connection.catalog.collection(collection)
  if (stored === undefined) return 0
  return connection.catalog
    .indexesOf(stored)
    .reduce((sum, { table, state }) => sum + (state === 'dropping' ? 0 : pagesOf(connection, table)), 0)
}

/** In bytes. */
export function pagesOf(connection: Connection, table: string): number {
  const sql = 'SELECT sum(pgsize) FROM dbstat WHERE name = ? AND aggregate = TRUE'
  return connection.row<[number | null]>(sql, table)![0] ?? 0
}
