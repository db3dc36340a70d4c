import type { StatementSync } from 'node:sqlite'
import type { Filter } from '../../../query/ast.ts'
import { compileFilter } from '../compile/compile-filter.ts'
import { compileSort } from '../compile/compile-sort.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection, SqlValue, TimeLimit } from '../files/connection.ts'
import { checkReadDeadline } from '../files/functions.ts'
import { rowIdsSql } from '../index/index-search.ts'
import type { CompiledFilter } from '../protocol/compiled-filter.ts'
import {
  type Continuable,
  type FetchedChunk,
  type FetchRequest,
  type FindChunk,
  type FindRequest,
  type ReadPlan,
  type Shape,
  SORT_WINDOW,
} from '../protocol/requests.ts'
import {
  type Begun,
  BudgetExceeded,
  documentsInTime,
  FOREGROUND_DOCUMENTS,
  requireForeground,
} from './foreground-budget.ts'
import { afterDocument, afterEntry, afterRowId, cursorAt, type PageEnd } from './keyset-cursor.ts'
import { type CountedSearch, chooseOrder, chooseSearch, INDEX_SHARE, type IndexOrder } from './plan-read.ts'
import { CHUNK_LENGTH, jointsOf, LOOKED_LENGTH, textProjection } from './project-text.ts'
import { scan } from './scan.ts'

/** Candidates that are put in order at once, rather than met by walking through an index in the order asked for. */
const FEW_CANDIDATES = 2000
/** What looking at a document out of natural order costs, in documents that a scan looks at. */
const WALK_COST = 16
/** The part of what walking may cost at most that is spent to find out whether enough matches. */
const TRIAL_SHARE = 8

/** A read of what comes behind the end of a page, if that is given. */
type FindBehind = Begun<Omit<FindRequest, 'after'>> & { readonly after?: PageEnd }

/** One with its filter as SQL, which is made when it is first asked for: an index can say all of it. */
type CompilableFind = FindBehind & { readonly compiled: () => CompiledFilter }

/** Documents found, by their row ids in the order in which they are wanted. */
interface Found {
  readonly rowIds: Float64Array
  readonly plan: ReadPlan
}

/**
 * Begins a read: by an index where one helps, else in natural order.
 * @throws BudgetExceeded
 */
export function find(
  connection: Connection,
  collection: StoredCollection,
  request: FindBehind,
): Continuable<FindChunk> {
  const compiled = compiledOnce(request.filter)
  const found = foundRowIds(connection, collection, { ...request, compiled })
  if (found === undefined) {
    const filter = compiled()
    const chunk = scan(connection, collection, { ...request, filter, after: request.after?.rowId ?? 0 })
    return chunk.done ? chunk : { ...chunk, filter }
  }
  const { rowIds, plan } = found
  const { sort, limit, wantsEnd, deadline } = request
  const isFull = wantsEnd && rowIds.length === limit
  const end = isFull ? cursorAt(connection, collection, { rowId: rowIds.at(-1)!, sort }) : undefined
  const chunk = fetch(connection, collection, {
    ...request,
    rowIds,
    until: request.isForeground ? deadline : Number.POSITIVE_INFINITY,
  })
  return {
    text: chunk.text,
    found: chunk.found,
    // What is left is copied, for the whole would travel with a part of it.
    rowIds: rowIds.slice(chunk.taken),
    isLast: rowIds.length < SORT_WINDOW,
    ...(end && { end }),
    plan,
  }
}

function compiledOnce(filter: Filter): () => CompiledFilter {
  let compiled: CompiledFilter | undefined
  return () => {
    compiled ??= compileFilter(filter)
    return compiled
  }
}

function foundRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: CompilableFind,
): Found | undefined {
  const { filter, sort, isForeground, deadline } = request
  const wanted = request.skip + request.limit
  if (sort.length > 0) return sortedRowIds(connection, collection, request)
  const chosen = chooseSearch(connection, collection, { filter, wanted, isForeground, deadline })
  return chosen && unsortedRowIds(connection, collection, request, chosen)
}

function unsortedRowIds(
  connection: Connection,
  { table }: StoredCollection,
  request: CompilableFind,
  { search, candidates }: CountedSearch,
): Found {
  const plan: ReadPlan = { kind: 'index', index: search.index.name, examined: candidates }
  const behind = afterRowId(search.isExact ? 'place' : 'seq', request.after)
  if (search.isExact) {
    const distinct = search.index.multikey === 0 ? '' : 'DISTINCT '
    const sql = `SELECT ${distinct}place FROM ${search.index.table} WHERE ${search.where}${behind.text} ORDER BY place LIMIT ? OFFSET ?`
    const parameters = [...search.parameters, ...behind.parameters, ...windowOf(request)]
    return { rowIds: selectRowIds(connection, sql, { deadline: request.deadline, parameters }), plan }
  }
  requireForeground(request, { documents: candidates })
  const filter = bindFilter(connection, request)
  const sql = `SELECT seq FROM ${table} WHERE seq IN (${rowIdsSql(search)}) AND ${documentsInTime(request)} AND ${filter.text}${behind.text} ORDER BY seq LIMIT ? OFFSET ?`
  const parameters = [...search.parameters, ...filter.parameters, ...behind.parameters, ...windowOf(request)]
  return { rowIds: selectRowIds(connection, sql, { deadline: request.deadline, parameters }), plan }
}

function sortedRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: CompilableFind,
): Found | undefined {
  const order = chooseOrder(connection, collection, request)
  if (order?.isExact) return exactRowIds(connection, collection, request, order)
  const { filter, isForeground, deadline } = request
  const wanted = Number.MAX_SAFE_INTEGER
  const documents = connection.catalog.documentsOf(collection)
  const chosen = chooseSearch(connection, collection, { filter, wanted, isForeground, deadline })
  if (order !== undefined && (chosen === undefined || chosen.candidates > FEW_CANDIDATES)) {
    const otherCost = chosen === undefined ? documents : INDEX_SHARE * chosen.candidates
    const found = walkedRowIds(connection, collection, request, { order, otherCost })
    if (found !== undefined) return found
  }
  return orderedRowIds(connection, collection, request, chosen)
}

/** Entries that stand in the order asked for, each a document that matches. */
function exactRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: CompilableFind,
  order: IndexOrder,
): Found {
  const wanted = request.skip + request.limit
  requireForeground(request, { entries: Math.min(wanted, connection.catalog.documentsOf(collection)) })
  const { index, where, orderBy, search } = order
  const behind = afterEntry({ ...order, sort: request.sort }, request.after)
  const sql = `SELECT place FROM ${index.table} WHERE ${behind.text}${where} ORDER BY ${orderBy} LIMIT ? OFFSET ?`
  const parameters = [...behind.parameters, ...(search?.parameters ?? []), ...windowOf(request)]
  const rowIds = selectRowIds(connection, sql, { deadline: request.deadline, parameters })
  const plan: ReadPlan = { kind: 'index', index: index.name, examined: rowIds.length + request.skip }
  return { rowIds, plan }
}

/**
 * Looks at documents in the order asked for until enough of them match; undefined as soon as putting all that match in
 * order seems cheaper, by the share that matched so far: where few do, after a small part of what that costs.
 * @param otherCost of putting all that match in order, in documents that a scan looks at
 * @throws BudgetExceeded
 */
function walkedRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: CompilableFind,
  { order, otherCost }: { order: IndexOrder; otherCost: number },
): Found | undefined {
  const { deadline } = request
  const limit = Math.min(request.limit, SORT_WINDOW)
  const wanted = request.skip + limit
  const most = Math.floor(otherCost / WALK_COST)
  if (wanted > most) return undefined
  const filter = bindFilter(connection, request)
  const { index, where, orderBy, search } = order
  const behind = afterEntry({ ...order, sort: request.sort }, request.after)
  const sql = `SELECT place FROM ${index.table} WHERE ${behind.text}${where} ORDER BY ${orderBy} LIMIT ?`
  const parameters = [...behind.parameters, ...(search?.parameters ?? []), most + 1]
  const test = `SELECT 1 FROM ${collection.table} WHERE seq = ? AND ${filter.text}`
  const rowIds: number[] = []
  let examined = 0
  let skipped = 0
  const isWorthwhile = (): boolean =>
    examined * TRIAL_SHARE <= most || examined * wanted <= most * (skipped + rowIds.length)
  /** @returns whether it came to the end */
  const walk = (entries: Iterable<[number]>, holds: StatementSync): boolean => {
    for (const [rowId] of entries) {
      if (rowIds.length === limit) return true
      if (request.isForeground && examined === FOREGROUND_DOCUMENTS) throw new BudgetExceeded()
      if (!isWorthwhile()) return false
      examined++
      // Each makes the lists of the filter anew, which can be long.
      checkReadDeadline(deadline)
      if (holds.get({ deadline }, rowId, ...filter.parameters) === undefined) continue
      if (skipped < request.skip) skipped++
      else rowIds.push(rowId)
    }
    return true
  }
  const isDone = connection.withStatement(test, (holds) =>
    connection.withStatement(sql, (entries) =>
      walk(entries.iterate({ deadline }, ...parameters) as unknown as Iterable<[number]>, holds),
    ),
  )
  if (!isDone) return undefined
  return { rowIds: Float64Array.from(rowIds), plan: { kind: 'index', index: index.name, examined } }
}

/** All that matches, put in order. */
function orderedRowIds(
  connection: Connection,
  collection: StoredCollection,
  request: CompilableFind,
  chosen: CountedSearch | undefined,
): Found {
  const filter = bindFilter(connection, request)
  const documents = filter.usesIdIndex ? 0 : connection.catalog.documentsOf(collection)
  requireForeground(request, { documents: chosen?.candidates ?? documents })
  const within = chosen === undefined ? '' : `seq IN (${rowIdsSql(chosen.search)}) AND `
  const behind = afterDocument(request.sort, request.after)
  const sql = `SELECT seq FROM ${collection.table} WHERE ${within}${documentsInTime(request)} AND ${filter.text}${behind.text} ORDER BY ${compileSort(request.sort)} LIMIT ? OFFSET ?`
  const parameters = [
    ...(chosen?.search.parameters ?? []),
    ...filter.parameters,
    ...behind.parameters,
    ...windowOf(request),
  ]
  const rowIds = selectRowIds(connection, sql, { deadline: request.deadline, parameters })
  if (chosen !== undefined)
    return { rowIds, plan: { kind: 'index', index: chosen.search.index.name, examined: chosen.candidates } }
  if (filter.usesIdIndex) return { rowIds, plan: { kind: 'id', examined: rowIds.length } }
  return { rowIds, plan: { kind: 'scan', examined: documents } }
}

/** The filter, of which and of the sort the connection's statements are told. */
function bindFilter({ functions }: Connection, { compiled, sort }: CompilableFind): CompiledFilter {
  const filter = compiled()
  functions.bind({ conditions: filter.conditions, sort })
  return filter
}

function windowOf({ skip, limit }: FindBehind): [limit: number, skip: number] {
  return [Math.min(limit, SORT_WINDOW), skip]
}

function selectRowIds(
  connection: Connection,
  sql: string,
  { deadline, parameters }: TimeLimit & { readonly parameters: readonly SqlValue[] },
): Float64Array {
  return connection.withStatement(sql, (statement) => {
    const rows = statement.iterate({ deadline }, ...parameters) as unknown as Iterable<[number]>
    return Float64Array.from(rows, ([rowId]) => rowId)
  })
}

/**
 * The documents at some row ids, as many as fit one chunk.
 * @param request with the time at which to stop, in milliseconds of `performance.now()`
 */
export function fetch(
  connection: Connection,
  { table }: StoredCollection,
  {
    rowIds,
    isForeground = false,
    until = Number.POSITIVE_INFINITY,
    ...shape
  }: Pick<FetchRequest, 'rowIds' | keyof Shape> & {
    readonly isForeground?: boolean
    readonly until?: number
  },
): FetchedChunk {
  const statement = connection.prepare(`SELECT json(doc) FROM ${table} WHERE seq = ?`)
  const project = textProjection(shape)
  const { between, end } = jointsOf(shape)
  let text = ''
  let found = 0
  let taken = 0
  let looked = 0
  for (const rowId of rowIds) {
    taken++
    const row = statement.get(rowId) as unknown as [string] | undefined
    if (row === undefined) continue
    text += (found > 0 ? between : '') + project(row[0])
    found++
    looked += row[0].length
    if (text.length >= CHUNK_LENGTH || looked >= LOOKED_LENGTH) break
    if (isForeground && (taken === FOREGROUND_DOCUMENTS || performance.now() > until)) break
  }
  return { text: found > 0 ? text + end : text, found, taken }
}
