import type { CompiledFilter } from '../compile/compile-filter.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { countCandidates, countExact, type IndexSearch, placesSql } from '../index/index-search.ts'
import type { CountChunk, CountRequest } from '../protocol/requests.ts'
import { bindFilter } from './bind-filter.ts'
import { documentsInTime, FOREGROUND_ENTRIES, requireForeground } from './foreground-budget.ts'
import { chooseExact, chooseSearch } from './plan-read.ts'
import { planOf, throughWindows, type Window } from './windows.ts'

/**
 * Counts on from a row id, until the time slice is used up.
 * @throws TakesLong
 */
export function count(
  connection: Connection,
  collection: StoredCollection,
  request: CountRequest,
): CountChunk {
  const compiled = bindFilter(connection, { ...request, deadline: performance.now() + request.budgetMs })
  // What was begun as a scan goes on as one: an index that has come since counts from the beginning.
  const counted =
    request.after > 0 ? undefined : countWithoutScan(connection, collection, { ...request, compiled })
  return counted ?? countOn(connection, collection, { ...request, compiled })
}

interface CompiledCount extends CountRequest {
  readonly compiled: CompiledFilter
}

/** By the count that is kept, or by an index. */
function countWithoutScan(
  connection: Connection,
  collection: StoredCollection,
  { filter, compiled, isForeground }: CompiledCount,
): CountChunk | undefined {
  const done = { after: 0, done: true }
  // That of a collection that was dropped is not there, nor is its table, which is what is noticed.
  const kept = compiled.matchesAll ? connection.catalog.countOf(collection) : undefined
  if (kept !== undefined) return { count: kept, ...done, plan: { kind: 'count', examined: 1 } }
  const exact = chooseExact(connection, collection, filter)
  if (exact !== undefined) {
    if (isForeground) requireFewEntries(connection, exact)
    const found = countExact(connection, exact)
    return { count: found, ...done, plan: { kind: 'index', index: exact.index.name, examined: found } }
  }
  const chosen = chooseSearch(connection, collection, {
    filter,
    wanted: Number.MAX_SAFE_INTEGER,
    isForeground,
  })
  if (chosen === undefined) return undefined
  const { search, candidates } = chosen
  requireForeground({ isForeground }, { documents: candidates })
  const sql = `SELECT count(*) FROM ${collection.table} WHERE seq IN (${placesSql(search)}) AND ${documentsInTime({ isForeground })} AND ${compiled.text}`
  const [found] = connection.row<[number]>(sql, ...search.parameters, ...compiled.parameters)!
  return { count: found, ...done, plan: { kind: 'index', index: search.index.name, examined: candidates } }
}

/** @throws TakesLong */
function requireFewEntries(connection: Connection, search: IndexSearch): void {
  requireForeground({ isForeground: true }, { seeks: search.seeks })
  requireForeground(
    { isForeground: true },
    { entries: countCandidates(connection, search, FOREGROUND_ENTRIES + 1) },
  )
}

function countOn(
  connection: Connection,
  collection: StoredCollection,
  { compiled: filter, ...request }: CompiledCount,
): CountChunk {
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
    isForeground: request.isForeground,
    isFull,
    read,
  })
  const { after, done, examined } = end
  const plan = planOf(connection, collection, { filter, examined, found: total })
  return { count: total, after, done, plan }
}
