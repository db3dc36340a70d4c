import { compileFilter } from '../compile/compile-filter.ts'
import { deadlineCheck } from '../compile/deadline-check.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { rowIdsSql } from '../index/index-search.ts'
import type { Continuable, FindRowIdsRequest, LocatedChunk } from '../protocol/requests.ts'
import type { Begun } from './foreground-budget.ts'
import { chooseSearch } from './plan-read.ts'
import { locate } from './scan.ts'

/** The row ids of the first documents that a write by query is for: by an index where one helps, else slice by slice. */
export function findRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: Begun<FindRowIdsRequest>,
): Continuable<LocatedChunk> {
  const { filter, limit: wanted, isForeground, deadline } = request
  const compiled = compileFilter(filter)
  const chosen = chooseSearch(connection, collection, { filter, wanted, isForeground, deadline })
  if (chosen === undefined) {
    const chunk = locate(connection, collection, { ...request, filter: compiled, after: 0 })
    return chunk.done ? chunk : { ...chunk, filter: compiled }
  }
  connection.functions.bind({ conditions: compiled.conditions, sort: [] })
  const { search } = chosen
  const { table } = collection
  const sql = `SELECT seq FROM ${table} WHERE seq IN (${rowIdsSql(search)}) AND ${deadlineCheck('seq')} AND ${compiled.text} ORDER BY seq LIMIT ?`
  const parameters = [...search.parameters, ...compiled.parameters, wanted]
  const rowIds = connection.withStatement(sql, (statement) => {
    const rows = statement.iterate({ deadline }, ...parameters)
    return Float64Array.from(rows as unknown as Iterable<[number]>, ([rowId]) => rowId)
  })
  const [last] = connection.row<[number | null]>(`SELECT max(seq) FROM ${table}`)!
  return { rowIds, after: last ?? 0, done: true }
}
