import { inTime } from '../compile/in-time.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { placesSql } from '../index/index-search.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import type { FindPlacesRequest, LocatedPiece } from '../protocol/requests.ts'
import { bindFilter } from './bind-filter.ts'
import { chooseSearch } from './plan-read.ts'
import { locate } from './scan.ts'

/** The places of the next documents that a write by query is for: by an index where one helps, else slice by slice. */
export function findPlaces(
  connection: Connection,
  collection: StoredCollection,
  request: FindPlacesRequest,
): LocatedPiece {
  const { filter, limit: wanted, after, until } = request
  const budgetMs = until - monotonicMs()
  const { text, parameters } = bindFilter(connection, { filter, deadline: performance.now() + budgetMs })
  const chosen =
    after > 0 ? undefined : chooseSearch(connection, collection, { filter, wanted, isQuick: false })
  if (chosen === undefined) return locate(connection, collection, { ...request, budgetMs })
  const { search } = chosen
  const { table } = collection
  const sql = `SELECT seq FROM ${table} WHERE seq IN (${placesSql(search)}) AND ${inTime('seq')} AND ${text} ORDER BY seq LIMIT ?`
  const places = connection.withStatement(sql, (statement) => {
    const rows = statement.iterate(...search.parameters, ...parameters, wanted)
    return Float64Array.from(rows as unknown as Iterable<[number]>, ([place]) => place)
  })
  const [last] = connection.row<[number | null]>(`SELECT max(seq) FROM ${table}`)!
  return { places, after: last ?? 0, done: true }
}
