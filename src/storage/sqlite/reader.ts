import { parseJson } from '../../json/exact.ts'
import { stringify } from '../../json/stringify.ts'
import type { JsonObject } from '../../json/value.ts'
import type { Projection } from '../../query/ast.ts'
import { prepareProjection } from '../../query/projection.ts'
import type { GetCommand } from '../store.ts'
import { type CompiledFilter, compileFilter, IN_TIME } from './compile-filter.ts'
import { compileSort } from './compile-sort.ts'
import type { Connection, Connections, SqlValue } from './connection.ts'
import { isMissingTable } from './failures.ts'
import type {
  CountPiece,
  CountRequest,
  FetchedPiece,
  FetchRequest,
  ReadRequest,
  ScanPiece,
  ScanRequest,
  SortRequest,
} from './requests.ts'
import { SORT_WINDOW } from './requests.ts'

/** Units of JSON text after which a piece of an answer is sent on. */
const PIECE_LENGTH = 256 * 1024
/** Places in natural order that one statement looks at before others get their turn. */
const WINDOW = 20_000
/** Time after which a read that has not finished lets others of its thread go first. */
const SLICE_MS = 10

const STORED = { nestingLevels: Number.POSITIVE_INFINITY }

/** Answers reads. Every one of a batch sees the app at the same moment. */
export class Reader {
  private readonly connections: Connections
  private readonly inTransaction = new Set<Connection>()

  constructor(connections: Connections) {
    this.connections = connections
  }

  /** Ends the batch: what is read next is read afresh. */
  endBatch(): void {
    for (const connection of this.inTransaction) connection.run('COMMIT')
    this.inTransaction.clear()
  }

  handle(request: ReadRequest): unknown {
    const connection = this.connections.to(request.app)
    this.begin(connection)
    try {
      return this.answer(connection, request)
    } catch (error) {
      if (!isMissingTable(error)) throw error
      connection.forgetTables()
      return this.answer(connection, request)
    } finally {
      connection.functions.release()
    }
  }

  private begin(connection: Connection): void {
    if (this.inTransaction.has(connection)) return
    connection.run('BEGIN')
    this.inTransaction.add(connection)
  }

  private answer(connection: Connection, request: ReadRequest): unknown {
    if (request.kind === 'collections')
      return connection
        .prepare('SELECT name FROM collections ORDER BY name')
        .all()
        .map((row) => Object.values(row)[0])
    const table = connection.table(request.collection)
    switch (request.kind) {
      case 'get':
        return table === undefined ? undefined : get(connection, table, request)
      case 'scan':
        return table === undefined ? NOTHING_SCANNED : scan(connection, table, request)
      case 'sort':
        return table === undefined ? new Float64Array() : sort(connection, table, request)
      case 'fetch':
        return table === undefined ? nothingFetched(request) : fetch(connection, table, request)
      case 'count':
        return table === undefined ? { count: 0, after: 0, done: true } : count(connection, table, request)
      default:
        return request satisfies never
    }
  }
}

const NOTHING_SCANNED: ScanPiece = { text: '', found: 0, skipped: 0, after: 0, done: true }

function nothingFetched({ places }: FetchRequest): FetchedPiece {
  return { text: '', found: 0, taken: places.length }
}

function get(connection: Connection, table: string, { ids, projection }: GetCommand): string | undefined {
  for (const id of ids) {
    const row = connection.row<[string]>(`SELECT json(doc) FROM ${table} WHERE id = ?`, id)
    if (row !== undefined) return shaper(projection)(row[0])
  }
  return undefined
}

/** What of a stored document is answered. */
function shaper(projection: Projection | undefined): (text: string) => string {
  if (projection === undefined) return (text) => text
  const project = prepareProjection(projection)
  return (text) => stringify(project(parseJson(text, STORED) as JsonObject))
}

/** Goes through the windows of a collection until the time slice is used up or `read` says that it has enough. */
function throughWindows(
  connection: Connection,
  table: string,
  { filter, after: start }: { filter: CompiledFilter; after: number },
  read: (window: { condition: string; parameters: SqlValue[]; to: number }) => number | undefined,
): { after: number; done: boolean } {
  const end = connection.row<[number | null]>(`SELECT max(seq) FROM ${table}`)?.[0] ?? 0
  const whole = filter.matchesAll || filter.usesIdIndex
  const began = performance.now()
  let after = start
  while (after < end) {
    const to = whole ? end : Math.min(end, after + WINDOW)
    // The plus keeps SQLite from walking through the places when the index on ids finds the few that matter.
    const seq = filter.usesIdIndex ? '+seq' : 'seq'
    const condition = `${seq} > ? AND ${seq} <= ? AND ${filter.text}`
    const stoppedAt = read({ condition, parameters: [after, to, ...filter.parameters], to })
    if (stoppedAt !== undefined) return { after: stoppedAt, done: false }
    after = to
    if (performance.now() - began > SLICE_MS) break
  }
  return { after, done: after >= end }
}

function scan(connection: Connection, table: string, request: ScanRequest): ScanPiece {
  const filter = compileFilter(request.filter)
  bindFilter(connection, filter, request.budgetMs)
  const shape = shaper(request.projection)
  let text = ''
  let found = 0
  let skipped = 0
  const end = throughWindows(
    connection,
    table,
    { filter, after: request.after },
    ({ condition, parameters, to }) => {
      let from = parameters[0] as number
      if (skipped < request.skip) {
        const step = skipWithin(connection, table, { condition, parameters, count: request.skip - skipped })
        skipped += step.count
        if (skipped < request.skip) return undefined
        from = step.last ?? from
      }
      const sql = `SELECT seq, json(doc) FROM ${table} WHERE ${condition} ORDER BY seq LIMIT ?`
      const rows = connection.prepare(sql).iterate(from, ...parameters.slice(1), request.limit - found)
      for (const row of rows as unknown as Iterable<[number, string]>) {
        text += (found > 0 ? ',' : '') + shape(row[1])
        found++
        if (text.length >= PIECE_LENGTH) return row[0]
      }
      return found >= request.limit ? to : undefined
    },
  )
  return { text, found, skipped, after: end.after, done: end.done || found >= request.limit }
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

function sort(connection: Connection, table: string, request: SortRequest): Float64Array {
  const filter = compileFilter(request.filter)
  const limit = Math.min(request.limit, SORT_WINDOW)
  connection.functions.bind({
    conditions: filter.conditions,
    sort: request.sort,
    deadline: performance.now() + request.budgetMs,
  })
  const sql = `SELECT seq FROM ${table} WHERE ${filter.text} AND ${IN_TIME} ORDER BY ${compileSort(request.sort)} LIMIT ? OFFSET ?`
  const places: number[] = []
  const rows = connection.prepare(sql).iterate(...filter.parameters, limit, request.skip)
  for (const row of rows as unknown as Iterable<[number]>) places.push(row[0])
  return Float64Array.from(places)
}

function fetch(connection: Connection, table: string, { places, projection }: FetchRequest): FetchedPiece {
  const statement = connection.prepare(`SELECT json(doc) FROM ${table} WHERE seq = ?`)
  const shape = shaper(projection)
  let text = ''
  let found = 0
  let taken = 0
  for (const place of places) {
    taken++
    const row = statement.get(place) as unknown as [string] | undefined
    if (row === undefined) continue
    text += (found > 0 ? ',' : '') + shape(row[0])
    found++
    if (text.length >= PIECE_LENGTH) break
  }
  return { text, found, taken }
}

function count(connection: Connection, table: string, request: CountRequest): CountPiece {
  const filter = compileFilter(request.filter)
  if (filter.matchesAll) {
    const row = connection.row<[number]>(`SELECT count(*) FROM ${table}`)
    return { count: row?.[0] ?? 0, after: 0, done: true }
  }
  bindFilter(connection, filter, request.budgetMs)
  let total = 0
  const end = throughWindows(
    connection,
    table,
    { filter, after: request.after },
    ({ condition, parameters }) => {
      const row = connection.row<[number]>(`SELECT count(*) FROM ${table} WHERE ${condition}`, ...parameters)
      total += row?.[0] ?? 0
      return undefined
    },
  )
  return { count: total, ...end }
}

function bindFilter(connection: Connection, filter: CompiledFilter, budgetMs: number): void {
  connection.functions.bind({
    conditions: filter.conditions,
    sort: [],
    deadline: performance.now() + budgetMs,
  })
}
