import type { GetCommand } from '../store.ts'
import type { Connection, Connections } from './connection.ts'
import { isMissingTable } from './failures.ts'
import { fetch, sort } from './read-sorted.ts'
import type { FetchedPiece, FetchRequest, ReadRequest, ScanPiece } from './requests.ts'
import { count, scan } from './scan.ts'
import { shaper } from './shaper.ts'

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
