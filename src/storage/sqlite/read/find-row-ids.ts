import { deadlineCheck } from '../compile/deadline-check.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { placesSql } from '../index/index-search.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import type { FindPlacesRequest, LocatedChunk } from '../protocol/requests.ts'
import { bindFilter } from './bind-filter.ts'
import { chooseSearch } from './plan-read.ts'
import { locate } from './scan.ts'

/** The row ids of the next documents that a write by query is for: by an index where one helps, else slice by slice. */
export function findRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: FindPlacesRequest,
): LocatedChunk {
  const { filter, limit: wanted, after, until } = request
  const budgetMs = until - monotonicMs()
  const { text, parameters } = bindFilter(connection, { filter, deadline: performance.now() + budgetMs })
  const chosen =
    after > 0 ? undefined : chooseSearch(connection, collection, { filter, wanted, isForeground: false })
  if (chosen === undefined) return locate(connection, collection, { ...request, budgetMs })
  const { search } = chosen
  const { table } = collection
  const sql = `SELECT seq FROM ${table} WHERE seq IN (${placesSql(search)}) AND ${deadlineCheck('seq')} AND ${text} ORDER BY seq LIMIT ?`
  const rowIds = connection.withStatement(sql, (statement) => {
    const rows = statement.iterate(...search.parameters, ...parameters, wanted)
    return Float64Array.from(rows as unknown as Iterable<[number]>, ([rowId]) => rowId)
  })
  const [last] = connection.row<[number | null]>(`SELECT max(seq) FROM ${table}`)!
  return { rowIds, after: last ?? 0, done: true }
}
