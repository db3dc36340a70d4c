import type { StoredCollection } from '../files/catalog.ts'
import type { Connection, SqlValue, TimeLimit } from '../files/connection.ts'
import type { LocatedChunk, LocateRequest, ScanChunk, ScanRequest, Shape } from '../protocol/requests.ts'
import type { Begun } from './foreground-budget.ts'
import { CHUNK_LENGTH, jointsOf, LOOKED_LENGTH, textProjection } from './project-text.ts'
import { planOf, scanWindows, type Window } from './windows.ts'

/** Documents that SQLite may join into one text, and their bytes. */
const JOINED_DOCUMENTS = 1000
const JOINED_BYTES = 1024 * 1024

/** Reads on from a row id, until a chunk is full or the time slice is used up. */
export function scan(
  connection: Connection,
  collection: StoredCollection,
  request: Begun<ScanRequest>,
): ScanChunk {
  const { table } = collection
  const { filter, deadline } = request
  connection.functions.bind({ conditions: filter.conditions, sort: [] })
  const joints = jointsOf(request)
  const texts: string[] = []
  let length = 0
  let found = 0
  let skipped = 0
  const read = ({ condition, parameters, to }: Window): number | undefined => {
    let from = parameters[0] as number
    if (skipped < request.skip) {
      const step = skipWithin(connection, table, {
        condition,
        parameters,
        count: request.skip - skipped,
        deadline,
      })
      skipped += step.count
      if (skipped < request.skip) return undefined
      from = step.last ?? from
    }
    const limit = request.limit - found
    const run =
      (filter.matchesAll &&
        isTextAsStored(request) &&
        joinedRun(connection, table, { from, to, limit, joints })) ||
      runOfRows(connection, table, { condition, parameters: [from, ...parameters.slice(1)], limit, request })
    if (run.found > 0) texts.push(run.text)
    found += run.found
    length += run.text.length
    if (found >= request.limit) return run.last
    return run.isWhole ? undefined : run.last
  }
  const end = scanWindows(connection, collection, {
    filter,
    after: request.after,
    to: request.to,
    isForeground: request.isForeground,
    isFull: () => length >= CHUNK_LENGTH || found >= request.limit,
    read,
  })
  const plan = planOf(connection, collection, { filter, examined: end.examined, found })
  const done = end.done || found >= request.limit
  return { text: texts.join(joints.runs), found, skipped, after: end.after, done, plan }
}

function isTextAsStored({ projection, wantsPreviews, lines }: Shape): boolean {
  return projection === undefined && !wantsPreviews && (lines === undefined || lines.kind === 'ndjson')
}

/** The row ids of the next matches, until there are enough or the time slice is used up. */
export function locate(
  connection: Connection,
  collection: StoredCollection,
  { filter, after, limit, deadline }: Begun<LocateRequest>,
): LocatedChunk {
  connection.functions.bind({ conditions: filter.conditions, sort: [] })
  const rowIds: number[] = []
  const isFull = (): boolean => rowIds.length === limit
  const read = ({ condition, parameters }: Window): undefined => {
    const sql = `SELECT seq FROM ${collection.table} WHERE ${condition} ORDER BY seq LIMIT ?`
    connection.withStatement(sql, (statement) => {
      const rows = statement.iterate({ deadline }, ...parameters, limit - rowIds.length)
      for (const [rowId] of rows as unknown as Iterable<[number]>) rowIds.push(rowId)
    })
  }
  const end = scanWindows(connection, collection, { filter, after, isForeground: false, isFull, read })
  return { rowIds: Float64Array.from(rowIds), after: end.after, done: end.done || isFull() }
}

/** Documents that follow each other. */
interface Run {
  /** Joined by commas, or line feeds. */
  readonly text: string
  readonly found: number
  /** The row id of the last of them. */
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
  {
    from,
    to,
    limit,
    joints,
  }: { from: number; to: number; limit: number; joints: ReturnType<typeof jointsOf> },
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
    `SELECT group_concat(json(doc), ?) || ? FROM (${documents})`,
    joints.between,
    joints.end,
    from,
    last,
  )!
  return { text, found, last, isWhole: false }
}

function runOfRows(
  connection: Connection,
  table: string,
  {
    condition,
    parameters,
    limit,
    request,
  }: Omit<Window, 'to'> & { limit: number; request: Begun<ScanRequest> },
): Run {
  const project = textProjection(request)
  const { between, end } = jointsOf(request)
  const sql = `SELECT seq, json(doc) FROM ${table} WHERE ${condition} ORDER BY seq LIMIT ?`
  return connection.withStatement(sql, (statement) => {
    let text = ''
    let found = 0
    let last = 0
    let looked = 0
    const rows = statement.iterate({ deadline: request.deadline }, ...parameters, limit)
    for (const row of rows as unknown as Iterable<[number, string]>) {
      text += (found > 0 ? between : '') + project(row[1])
      found++
      last = row[0]
      looked += row[1].length
      if (text.length >= CHUNK_LENGTH || looked >= LOOKED_LENGTH)
        return { text: text + end, found, last, isWhole: false }
    }
    return { text: found > 0 ? text + end : text, found, last, isWhole: true }
  })
}

/** Passes over up to `count` matches of a window; `last` is the row id of the last of them. */
function skipWithin(
  connection: Connection,
  table: string,
  {
    condition,
    parameters,
    count,
    deadline,
  }: { condition: string; parameters: SqlValue[]; count: number } & TimeLimit,
): { count: number; last: number | null } {
  const matches = `SELECT seq FROM ${table} WHERE ${condition} ORDER BY seq LIMIT ?`
  const row = connection.row<[number, number | null]>(
    `SELECT count(*), max(seq) FROM (${matches})`,
    { deadline },
    ...parameters,
    count,
  )
  return { count: row?.[0] ?? 0, last: row?.[1] ?? null }
}
