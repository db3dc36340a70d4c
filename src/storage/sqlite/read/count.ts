import { compileFilter } from '../compile/compile-filter.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import { countCandidates, countExact, type IndexSearch, rowIdsSql } from '../index/index-search.ts'
import type { CompiledFilter } from '../protocol/compiled-filter.ts'
import type { Continuable, CountChunk, CountRequest, ResumeCountRequest } from '../protocol/requests.ts'
import { type Begun, documentsInTime, FOREGROUND_ENTRIES, requireForeground } from './foreground-budget.ts'
import { chooseExact, chooseSearch } from './plan-read.ts'
import { planOf, scanWindows, type Window } from './windows.ts'

/**
 * Begins a count: by what is kept, by an index, or as a scan.
 * @throws BudgetExceeded
 */
export function count(
  connection: Connection,
  collection: StoredCollection,
  request: Begun<CountRequest>,
): Continuable<CountChunk> {
  const compiled = compileFilter(request.filter)
  connection.functions.bind({ conditions: compiled.conditions, sort: [] })
  const counted = countWithoutScan(connection, collection, { ...request, compiled })
  if (counted !== undefined) return counted
  const chunk = resumeCount(connection, collection, { ...request, filter: compiled, after: 0 })
  return chunk.done ? chunk : { ...chunk, filter: compiled }
}

interface CompiledCount extends Begun<CountRequest> {
  readonly compiled: CompiledFilter
}

/** By the count that is kept, or by an index. */
function countWithoutScan(
  connection: Connection,
  collection: StoredCollection,
  { filter, compiled, isForeground, deadline }: CompiledCount,
): CountChunk | undefined {
  const done = { after: 0, done: true }
  // That of a collection that was dropped is not there, nor is its table, which is what is noticed.
  const kept = compiled.matchesAll ? connection.catalog.countOf(collection) : undefined
  if (kept !== undefined) return { count: kept, ...done, plan: { kind: 'count', examined: 1 } }
  const exact = chooseExact(connection, collection, filter)
  if (exact !== undefined) {
    if (isForeground) requireFewEntries(connection, exact)
    const found = countExact(connection, exact, { deadline })
    return { count: found, ...done, plan: { kind: 'index', index: exact.index.name, examined: found } }
  }
  const chosen = chooseSearch(connection, collection, {
    filter,
    wanted: Number.MAX_SAFE_INTEGER,
    isForeground,
    deadline,
  })
  if (chosen === undefined) return undefined
  const { search, candidates } = chosen
  requireForeground({ isForeground }, { documents: candidates })
  const sql = `SELECT count(*) FROM ${collection.table} WHERE seq IN (${rowIdsSql(search)}) AND ${documentsInTime({ isForeground })} AND ${compiled.text}`
  const [found] = connection.row<[number]>(sql, { deadline }, ...search.parameters, ...compiled.parameters)!
  return { count: found, ...done, plan: { kind: 'index', index: search.index.name, examined: candidates } }
}

/** @throws BudgetExceeded */
function requireFewEntries(connection: Connection, search: IndexSearch): void {
  requireForeground({ isForeground: true }, { seeks: search.seeks })
  requireForeground(
    { isForeground: true },
    { entries: countCandidates(connection, search, FOREGROUND_ENTRIES + 1) },
  )
}

/** Counts on from a row id, until the time slice is used up. */
export function resumeCount(
  connection: Connection,
  collection: StoredCollection,
  { filter, after, isForeground, deadline }: Begun<ResumeCountRequest>,
): CountChunk {
  connection.functions.bind({ conditions: filter.conditions, sort: [] })
  let total = 0
  const read = ({ condition, parameters }: Window): undefined => {
    const sql = `SELECT count(*) FROM ${collection.table} WHERE ${condition}`
    total += connection.row<[number]>(sql, { deadline }, ...parameters)![0]
  }
  const isFull = (): boolean => false
  const end = scanWindows(connection, collection, { filter, after, isForeground, isFull, read })
  const plan = planOf(connection, collection, { filter, examined: end.examined, found: total })
  return { count: total, after: end.after, done: end.done, plan }
}
