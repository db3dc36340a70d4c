import { AppError } from '../../../errors.ts'
import type { Filter } from '../../../query/ast.ts'
import { compileFilter } from '../compile/compile-filter.ts'
import { frequentDeadlineCheck } from '../compile/deadline-check.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { SqlValue } from '../files/connection.ts'
import { type IndexSearch, rowIdsSql } from '../index/index-search.ts'
import type { CompiledFilter } from '../protocol/compiled-filter.ts'
import type { FoundRowIds, SearchRequired, WriteSearch } from '../protocol/requests.ts'
import { BudgetExceeded } from '../read/foreground-budget.ts'
import { chooseSearch } from '../read/plan-read.ts'
import type { WriteContext } from './write-context.ts'

/** Bounds of what the writer looks for by itself. */
export interface SearchBounds {
  /** Documents that it looks at. */
  readonly directDocuments: number
  /** How long it goes on with them. */
  readonly directMs: number
  /** Changes of one collection that it keeps at least, for the others to be found by readers. */
  readonly keptChanges: number
}

export const SEARCH_BOUNDS: SearchBounds = { directDocuments: 2000, directMs: 20, keptChanges: 50_000 }

const EVERYWHERE: Within = { text: '1', parameters: [] }

/** A part of a collection, as the beginning of a WHERE clause. */
interface Within {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

/** Where to look, and at how many documents. */
interface Candidates {
  readonly within: Within
  readonly looked: number
}

/** What a write looks for. */
interface Search {
  readonly context: WriteContext
  readonly collection: StoredCollection
  readonly filter: CompiledFilter
  readonly multi: boolean
}

/**
 * The row ids of the documents that a write is for, in natural order: all that match at this moment, or the first of
 * them. Found before anything changes, so that no document is met twice. Where looking for them may take long, and no
 * reader has done it, that is asked for instead.
 */
export function selectWriteTargets(
  context: WriteContext,
  collection: StoredCollection,
  command: { readonly filter: Filter; readonly multi: boolean } & WriteSearch,
): readonly number[] | SearchRequired {
  const { multi, found } = command
  const search = { context, collection, filter: compileFilter(command.filter), multi }
  const amended = found && amendedRowIds(search, found)
  if (amended !== undefined) return amended
  try {
    const direct = searchedRowIds(search, command)
    if (direct !== undefined) return direct
  } catch (error) {
    // Even to count the entries of an index would hold the writer for too long.
    if (!(error instanceof BudgetExceeded)) throw error
  }
  return { mark: context.changes.mark(context.app, collection) }
}

/** @throws BudgetExceeded */
function searchedRowIds(
  search: Search,
  { filter, isFinal = false }: { readonly filter: Filter } & WriteSearch,
): readonly number[] | undefined {
  const { context, collection, multi } = search
  const { connection, deadline } = context
  const wanted = multi ? Number.MAX_SAFE_INTEGER : 1
  const choose = (until: number): Candidates => {
    const bounds = { isForeground: !isFinal, deadline: until }
    const chosen = chooseSearch(connection, collection, { filter, wanted, ...bounds })
    if (chosen !== undefined) return { within: entriesOf(chosen.search), looked: chosen.candidates }
    return { within: EVERYWHERE, looked: connection.catalog.documentsOf(collection) }
  }
  if (isFinal) return matchesWithin(search, choose(deadline).within, deadline)
  const candidates = withinDirectBudget(context, choose)
  if (candidates === undefined) return undefined
  if (search.filter.matchesAll) return matchesWithin(search, candidates.within, deadline)
  return directRowIds(search, candidates)
}

/** What can be found in little time; undefined where it is not clear that it can. */
function directRowIds(search: Search, { within, looked }: Candidates): readonly number[] | undefined {
  const { context, filter, multi } = search
  // One pattern on one text can take seconds, in which nothing can interrupt it.
  if (filter.conditions.some(({ kind }) => kind === 'regex')) return undefined
  if (filter.usesIdIndex || looked <= context.bounds.directDocuments)
    return withinDirectBudget(context, (deadline) => matchesWithin(search, within, deadline))
  return multi ? undefined : firstAfter(search, 0)
}

/**
 * What a reader has found, brought up to this moment: the documents that have changed since, and those that have come,
 * are looked at again. Undefined where it is not known which those are.
 */
function amendedRowIds(search: Search, { mark, rowIds, to }: FoundRowIds): readonly number[] | undefined {
  const { context, collection, multi } = search
  const changed = context.changes.of(context.app, collection)?.since(mark)
  if (changed === undefined) return undefined
  const again = [...changed].filter((rowId) => rowId <= to)
  const matching = matchesWithin(search, among(again), context.deadline)
  const unchanged = rowIds.flatMap((chunk) => Array.from(chunk).filter((rowId) => !changed.has(rowId)))
  if (multi) {
    const behind = matchesWithin(search, { text: 'seq > ?', parameters: [to] }, context.deadline)
    return [...unchanged, ...matching, ...behind].sort((one, other) => one - other)
  }
  const first = Math.min(matching[0] ?? Number.POSITIVE_INFINITY, unchanged[0] ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(first) ? [first] : firstAfter(search, to)
}

/** The first match behind a row id; undefined where it may lie behind the few documents that are looked at. */
function firstAfter(search: Search, rowId: number): readonly number[] | undefined {
  const { context, collection } = search
  const sql = `SELECT seq FROM ${collection.table} WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ?`
  const next = context.connection.row<[number]>(sql, rowId, context.bounds.directDocuments)
  const to = next === undefined ? Number.MAX_SAFE_INTEGER : next[0] - 1
  const within = { text: 'seq > ? AND seq <= ?', parameters: [rowId, to] }
  const found = withinDirectBudget(context, (deadline) => matchesWithin(search, within, deadline))
  return found?.length === 0 && next !== undefined ? undefined : found
}

/** What is found before the time is over that the writer has for it, or undefined. */
function withinDirectBudget<Found>(
  { bounds, deadline }: WriteContext,
  find: (deadline: number) => Found,
): Found | undefined {
  try {
    return find(Math.min(deadline, performance.now() + bounds.directMs))
  } catch (error) {
    const isOver = error instanceof AppError && error.code === 'deadline_exceeded'
    if (isOver && performance.now() <= deadline) return undefined
    throw error
  }
}

function matchesWithin(
  { context: { connection }, collection, filter, multi }: Search,
  { text, parameters }: Within,
  deadline: number,
): number[] {
  connection.functions.bind({ conditions: filter.conditions, sort: [] })
  const sql = `SELECT seq FROM ${collection.table} WHERE ${text} AND ${frequentDeadlineCheck('seq')} AND ${filter.text} ORDER BY seq LIMIT ?`
  return connection.withStatement(sql, (statement) => {
    const rows = statement.iterate({ deadline }, ...parameters, ...filter.parameters, multi ? -1 : 1)
    return Array.from(rows as unknown as Iterable<[number]>, ([rowId]) => rowId)
  })
}

function among(rowIds: readonly number[]): Within {
  return { text: 'seq IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(rowIds)] }
}

function entriesOf(search: IndexSearch): Within {
  return { text: `seq IN (${rowIdsSql(search)})`, parameters: search.parameters }
}
