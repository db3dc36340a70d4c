import type { StoredCollection } from './catalog.ts'
import { type CompiledFilter, compileFilter, IN_TIME } from './compile-filter.ts'
import type { Connection, SqlValue } from './connection.ts'
import { countCandidates, countExact, placesSql } from './index-search.ts'
import { chooseExact, chooseSearch } from './plan-read.ts'
import { QUICK_DOCUMENTS, QUICK_ENTRIES, requireQuick } from './quick-read.ts'
import type {
  CountPiece,
  CountRequest,
  LocatedPiece,
  LocateRequest,
  ReadPlan,
  ScanPiece,
  ScanRequest,
} from './requests.ts'
import { PIECE_LENGTH, shaper } from './shaper.ts'

/** Documents that SQLite may join into one text, and their bytes. */
const JOINED_DOCUMENTS = 1000
const JOINED_BYTES = 1024 * 1024
/** Places in natural order that one statement looks at, at first and at most, before the time is looked at. */
const FIRST_WINDOW = 2000
const LAST_WINDOW = 32_000
/** Time after which a read that has not finished lets others of its thread go first. */
const SLICE_MS = 10
const QUICK_SLICE_MS = 1

/** A part of a collection in natural order, as the beginning of a WHERE clause. */
interface Window {
  readonly condition: string
  /** The place after which it begins is the first of them. */
  readonly parameters: SqlValue[]
  readonly to: number
}

/**
 * Goes through the windows of a collection until the time slice is used up. `read` answers the place at which it
 * stopped, or undefined where it has seen the whole window.
 */
function throughWindows(
  connection: Connection,
  { table }: StoredCollection,
  {
    filter,
    after: start,
    to: last = Number.MAX_SAFE_INTEGER,
    isQuick,
    isFull,
    read,
  }: {
    filter: CompiledFilter
    after: number
    to?: number | undefined
    isQuick: boolean
    isFull: () => boolean
    read: (window: Window) => number | undefined
  },
): { after: number; done: boolean; examined: number } {
  const greatest = connection.row<[number | null]>(`SELECT max(seq) FROM ${table}`)?.[0] ?? 0
  const end = Math.min(greatest, last)
  const began = performance.now()
  // The plus keeps SQLite from walking through the places when the index on ids finds the few that matter.
  const seq = filter.usesIdIndex ? '+seq' : 'seq'
  const condition = `${seq} > ? AND ${seq} <= ? AND ${filter.text}`
  const sliceMs = isQuick ? QUICK_SLICE_MS : SLICE_MS
  let window = isQuick ? QUICK_DOCUMENTS : FIRST_WINDOW
  // What was deleted at the beginning, as in a queue, is passed over at once.
  const first = connection.row<[number | null]>(`SELECT min(seq) FROM ${table} WHERE seq > ?`, start)?.[0]
  const begin = first == null ? Math.max(start, end) : Math.min(end, first - 1)
  let after = begin
  while (after < end) {
    const to = filter.usesIdIndex ? end : Math.min(end, after + window)
    after = read({ condition, parameters: [after, to, ...filter.parameters], to }) ?? to
    const ms = performance.now() - began
    if (isFull() || ms > sliceMs) break
    // So that time is looked at often enough where a document takes long, and seldom where it doesn't.
    if (2 * ms < sliceMs) window = Math.min(2 * window, LAST_WINDOW)
  }
  return { after, done: after >= end, examined: after - begin }
}

/** Reads on from a place, until a piece is full or the time slice is used up. */
export function scan(connection: Connection, collection: StoredCollection, request: ScanRequest): ScanPiece {
  const { table } = collection
  const filter = compileFilter(request.filter)
  bindFilter(connection, filter, request.budgetMs)
  const texts: string[] = []
  let length = 0
  let found = 0
  let skipped = 0
  const read = ({ condition, parameters, to }: Window): number | undefined => {
    let from = parameters[0] as number
    if (skipped < request.skip) {
      const step = skipWithin(connection, table, { condition, parameters, count: request.skip - skipped })
      skipped += step.count
      if (skipped < request.skip) return undefined
      from = step.last ?? from
    }
    const limit = request.limit - found
    const run =
      (filter.matchesAll &&
        request.projection === undefined &&
        joinedRun(connection, table, { from, to, limit })) ||
      runOfRows(connection, table, { condition, parameters: [from, ...parameters.slice(1)], limit, request })
    if (run.found > 0) texts.push(run.text)
    found += run.found
    length += run.text.length
    if (found >= request.limit) return run.last
    return run.isWhole ? undefined : run.last
  }
  const end = throughWindows(connection, collection, {
    filter,
    after: request.after,
    to: request.to,
    isQuick: request.isQuick,
    isFull: () => length >= PIECE_LENGTH || found >= request.limit,
    read,
  })
  const plan = planOf(connection, collection, { filter, examined: end.examined, found })
  const done = end.done || found >= request.limit
  return { text: texts.join(','), found, skipped, after: end.after, done, plan }
}

/** The places of the next matches, until there are enough or the time slice is used up. */
export function locate(
  connection: Connection,
  collection: StoredCollection,
  request: LocateRequest,
): LocatedPiece {
  const filter = compileFilter(request.filter)
  bindFilter(connection, filter, request.budgetMs)
  const { after, limit } = request
  const places: number[] = []
  const isFull = (): boolean => places.length === limit
  const read = ({ condition, parameters }: Window): undefined => {
    const sql = `SELECT seq FROM ${collection.table} WHERE ${condition} ORDER BY seq LIMIT ?`
    connection.withStatement(sql, (statement) => {
      const rows = statement.iterate(...parameters, limit - places.length)
      for (const [place] of rows as unknown as Iterable<[number]>) places.push(place)
    })
  }
  const end = throughWindows(connection, collection, { filter, after, isQuick: false, isFull, read })
  return { places: Float64Array.from(places), after: end.after, done: end.done || isFull() }
}

/** Documents that follow each other. */
interface Run {
  /** Joined by commas. */
  readonly text: string
  readonly found: number
  /** The place of the last of them. */
  readonly last: number
  /** Whether no more of the window is to come. */
  readonly isWhole: boolean
}

/**
 * The next documents, whatever they hold, joined by SQLite itself, which takes half the time of fetching them one by
 * one. Undefined where together they could be too long for that.
 */
function joinedRun(
  connection: Connection,
  table: string,
  { from, to, limit }: { from: number; to: number; limit: number },
): Run | undefined {
  const next = `SELECT seq, doc FROM ${table} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`
  const [found, last, bytes] = connection.row<[number, number | null, number | null]>(
    `SELECT count(*), max(seq), sum(length(doc)) FROM (${next})`,
    from,
    to,
    Math.min(limit, JOINED_DOCUMENTS),
  )!
  if (last === null || bytes === null || bytes > JOINED_BYTES) return undefined
  const documents = `SELECT doc FROM ${table} WHERE seq > ? AND seq <= ? ORDER BY seq`
  const [text] = connection.row<[string]>(
    `SELECT group_concat(json(doc), ',') FROM (${documents})`,
    from,
    last,
  )!
  return { text, found, last, isWhole: false }
}

function runOfRows(
  connection: Connection,
  table: string,
  { condition, parameters, limit, request }: Omit<Window, 'to'> & { limit: number; request: ScanRequest },
): Run {
  const shape = shaper(request.projection)
  const sql = `SELECT seq, json(doc) FROM ${table} WHERE ${condition} ORDER BY seq LIMIT ?`
  return connection.withStatement(sql, (statement) => {
    let text = ''
    let found = 0
    let last = 0
    const rows = statement.iterate(...parameters, limit)
    for (const row of rows as unknown as Iterable<[number, string]>) {
      text += (found > 0 ? ',' : '') + shape(row[1])
      found++
      last = row[0]
      if (text.length >= PIECE_LENGTH) return { text, found, last, isWhole: false }
    }
    return { text, found, last, isWhole: true }
  })
}

/** Passes over up to `count` matches of a window; `last` is the place of the last of them. */
function skipWithin(
  connection: Connection,
  table: string,
  { condition, parameters, count }: { condition: string; parameters: SqlValue[]; count: number },
): { count: number; last: number | null } {
  const matches = `SELECT seq FROM ${table} WHERE ${condition} ORDER BY seq LIMIT ?`
  const row = connection.row<[number, number | null]>(
    `SELECT count(*), max(seq) FROM (${matches})`,
    ...parameters,
    count,
  )
  return { count: row?.[0] ?? 0, last: row?.[1] ?? null }
}

/**
 * Counts on from a place, until the time slice is used up.
 * @throws TakesLong
 */
export function count(
  connection: Connection,
  collection: StoredCollection,
  request: CountRequest,
): CountPiece {
  return countWithoutScan(connection, collection, request) ?? countOn(connection, collection, request)
}

/** By the count that is kept, or by an index. */
function countWithoutScan(
  connection: Connection,
  collection: StoredCollection,
  { filter, budgetMs, isQuick }: CountRequest,
): CountPiece | undefined {
  const done = { after: 0, done: true }
  const compiled = compileFilter(filter)
  if (compiled.matchesAll)
    return {
      count: connection.catalog.documentsOf(collection),
      ...done,
      plan: { kind: 'count', examined: 1 },
    }
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
  const sql = `SELECT count(*) FROM ${collection.table} WHERE seq IN (${placesSql(search)}) AND ${IN_TIME} AND ${compiled.text}`
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

/** @param examined places, of which some may be empty */
function planOf(
  connection: Connection,
  collection: StoredCollection,
  { filter, examined, found }: { filter: CompiledFilter; examined: number; found: number },
): ReadPlan {
  if (filter.usesIdIndex) return { kind: 'id', examined: found }
  return { kind: 'scan', examined: Math.min(examined, connection.catalog.documentsOf(collection)) }
}

function bindFilter(connection: Connection, filter: CompiledFilter, budgetMs: number): void {
  connection.functions.bind({
    conditions: filter.conditions,
    sort: [],
    deadline: performance.now() + budgetMs,
  })
}
