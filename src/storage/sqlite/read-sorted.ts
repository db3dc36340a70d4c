import { compileFilter, IN_TIME } from './compile-filter.ts'
import { compileSort } from './compile-sort.ts'
import type { Connection } from './connection.ts'
import { type FetchedPiece, type FetchRequest, SORT_WINDOW, type SortRequest } from './requests.ts'
import { PIECE_LENGTH, shaper } from './shaper.ts'

/** The places of the documents that match, in the order asked for. */
export function sort(connection: Connection, table: string, request: SortRequest): Float64Array {
  const filter = compileFilter(request.filter)
  const limit = Math.min(request.limit, SORT_WINDOW)
  connection.functions.bind({
    conditions: filter.conditions,
    sort: request.sort,
    deadline: performance.now() + request.budgetMs,
  })
  const sql = `SELECT seq FROM ${table} WHERE ${filter.text} AND ${IN_TIME} ORDER BY ${compileSort(request.sort)} LIMIT ? OFFSET ?`
  const places: number[] = []
  connection.withStatement(sql, (statement) => {
    const rows = statement.iterate(...filter.parameters, limit, request.skip)
    for (const row of rows as unknown as Iterable<[number]>) places.push(row[0])
  })
  return Float64Array.from(places)
}

/** The documents at some places, as many as fit one piece. */
export function fetch(
  connection: Connection,
  table: string,
  { places, projection }: FetchRequest,
): FetchedPiece {
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
