import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'

/** Documents that one statement is for, and bytes after which it has enough. */
const ROWS_AT_ONCE = 200
const BYTES_AT_ONCE = 256 * 1024

/**
 * The row ids of the next documents behind one, as many as are copied or deleted between looks at the clock: that takes
 * each page of a long document, while its length is in the first.
 */
export function nextRowIds(connection: Connection, { table }: StoredCollection, from: number): number[] {
  const sql = `SELECT seq, length(doc) FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ${ROWS_AT_ONCE}`
  const rows = connection.prepare(sql).all(from) as unknown as [rowId: number, bytes: number][]
  const rowIds: number[] = []
  for (let at = 0, bytes = 0; at < rows.length && bytes <= BYTES_AT_ONCE; at++) {
    const [rowId, length] = rows[at]!
    rowIds.push(rowId)
    bytes += length
  }
  return rowIds
}
