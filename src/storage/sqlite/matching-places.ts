import type { Filter } from '../../query/ast.ts'
import type { StoredCollection } from './catalog.ts'
import { compileFilter, IN_TIME } from './compile-filter.ts'
import { placesSql } from './index-search.ts'
import { chooseSearch } from './plan-read.ts'
import type { WriteContext } from './write-context.ts'

/**
 * The places of the documents that match, in natural order. Found before anything changes, so that no document is
 * met twice.
 * @param limit without one, all of them
 */
export function matchingPlaces(
  { connection, deadline }: WriteContext,
  collection: StoredCollection,
  { filter, limit }: { filter: Filter; limit: number | undefined },
): number[] {
  const compiled = compileFilter(filter)
  const wanted = limit ?? Number.MAX_SAFE_INTEGER
  const chosen = chooseSearch(connection, collection, { filter, wanted, isQuick: false })
  const within = chosen === undefined ? '' : `seq IN (${placesSql(chosen.search)}) AND `
  connection.functions.bind({ conditions: compiled.conditions, sort: [], deadline })
  const sql = `SELECT seq FROM ${collection.table} WHERE ${within}${compiled.text} AND ${IN_TIME} ORDER BY seq LIMIT ?`
  const parameters = [...(chosen?.search.parameters ?? []), ...compiled.parameters, limit ?? -1]
  return connection.withStatement(sql, (statement) => {
    const rows = statement.iterate(...parameters) as unknown as Iterable<[number]>
    return Array.from(rows, ([place]) => place)
  })
}
