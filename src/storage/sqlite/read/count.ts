import { compileFilter } from '../compile/compile-filter.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { countCandidates, countExact, placesSql } from '../index/index-search.ts'
import type { CountPiece, CountRequest } from '../protocol/requests.ts'
import { chooseExact, chooseSearch } from './plan-read.ts'
import { inTime, QUICK_ENTRIES, requireQuick } from './quick-read.ts'
import { bindFilter, planOf, throughWindows, type Window } from './windows.ts'

/**
 * Counts on from a place, until the time slice is used up.
 * @throws TakesLong
 */
export function count(
  connection: Connection,
  collection: StoredCollection,
  request: CountRequest,
): CountPiece {
  // What was begun as a scan goes on as one: an index that has come since counts from the beginning.
  const counted = request.after > 0 ? undefined : countWithoutScan(connection, collection, request)
  return counted ?? countOn(connection, collection, request)
}

/** By the count that is kept, or by an index. */
function countWithoutScan(
  connection: Connection,
  collection: StoredCollection,
  { filter, budgetMs, isQuick }: CountRequest,
): CountPiece | undefined {
  const done = { after: 0, done: true }
  const compiled = compileFilter(filter)
  // That of a collection that was dropped is not there, nor is its table, which is what is noticed.
  const kept = compiled.matchesAll ? connection.catalog.countOf(collection) : undefined
  if (kept !== undefined) return { count: kept, ...done, plan: { kind: 'count', examined: 1 } }
  const exact = chooseExact(connection, collection, filter)
  if (exact !== undefined) {
    if (isQuick) requireQuick({ isQuick }, { entries: countCandidates(connection, exact, QUICK_ENTRIES + 1) })
    const found = countExact(connection, exact)
    return { count: found, ...done, plan: { kind: 'index', index: exact.index.name, examined: found } }
  }
  const chosen = chooseSearch(connection, collection, {
    filter,
    wanted: Number.MAX_SAFE_INTEGER,
    isQuick,
  })
  if (chosen === undefined) return undefined
  const { search, candidates } = chosen
  requireQuick({ isQuick }, { documents: candidates })
  bindFilter(connection, compiled, budgetMs)
  const sql = `SELECT count(*) FROM ${collection.table} WHERE seq IN (${placesSql(search)}) AND ${inTime({ isQuick })} AND ${compiled.text}`
  const [found] = connection.row<[number]>(sql, ...search.parameters, ...compiled.parameters)!
  return { count: found, ...done, plan: { kind: 'index', index: search.index.name, examined: candidates } }
}

function countOn(connection: Connection, collection: StoredCollection, request: CountRequest): CountPiece {
  const filter = compileFilter(request.filter)
  bindFilter(connection, filter, request.budgetMs)
  let total = 0
  const read = ({ condition, parameters }: Window): undefined => {
    const row = connection.row<[number]>(
      `SELECT count(*) FROM ${collection.table} WHERE ${condition}`,
      ...parameters,
    )
    total += row?.[0] ?? 0
  }
  const isFull = (): boolean => false
  const end = throughWindows(connection, collection, {
    filter,
    after: request.after,
    isQuick: request.isQuick,
    isFull,
    read,
  })
  const { after, done, examined } = end
  const plan = planOf(connection, collection, { filter, examined, found: total })
  return { count: total, after, done, plan }
}
