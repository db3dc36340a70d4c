import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../errors.ts'
import { appFile } from './data-folder.ts'
import { QueryFunctions } from './functions.ts'
import { collectionTable } from './schema.ts'

const BUSY_TIMEOUT_MS = 5000
/** Prepared statements that a connection keeps; the least recently used one goes first. */
const STATEMENTS = 200
/** Longer statements come from unusual queries, and a few of them would fill the memory. */
const CACHED_SQL_LENGTH = 16 * 1024
/** Kibibytes of pages that a connection keeps in memory. */
const PAGE_CACHE_KIB = 4096
/** What is left of a write-ahead log that a large write made long. */
const LOG_BYTES = 16 * 1024 * 1024

export type ConnectionMode = 'reader' | 'writer'

/** One thread's connection to one app's file. */
export class Connection {
  readonly functions: QueryFunctions
  private readonly db: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()
  private readonly tables = new Map<string, number>()
  private readonly places = new Map<string, number>()

  /** @throws AppError `app_not_found` where the app's file is gone */
  constructor(path: string, mode: ConnectionMode) {
    if (!existsSync(path)) throw appGone()
    const url = pathToFileURL(path)
    // Opening must never make the file: an app that was deleted a moment ago would come back empty.
    url.search = 'mode=rw'
    this.db = new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS })
    this.db.exec(
      `PRAGMA cache_size = -${PAGE_CACHE_KIB}; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LOG_BYTES}`,
    )
    // The log keeper sees to it that the log is copied into the file.
    this.db.exec('PRAGMA wal_autocheckpoint = 0')
    if (mode === 'reader') this.db.exec('PRAGMA query_only = ON')
    this.functions = new QueryFunctions(this.db)
  }

  /** A prepared statement that answers rows as arrays. */
  prepare(sql: string): StatementSync {
    const known = this.statements.get(sql)
    if (known !== undefined) {
      this.statements.delete(sql)
      this.statements.set(sql, known)
      return known
    }
    const statement = this.db.prepare(sql)
    statement.setReturnArrays(true)
    if (sql.length > CACHED_SQL_LENGTH) return statement
    this.statements.set(sql, statement)
    if (this.statements.size > STATEMENTS) this.statements.delete(this.statements.keys().next().value!)
    return statement
  }

  /**
   * Works with a statement whose rows are gone through one by one. One that failed on the way is let go of: Node.js
   * would report that failure again, without a word of what it was, when the statement is used next.
   */
  withStatement<T>(sql: string, work: (statement: StatementSync) => T): T {
    try {
      return work(this.prepare(sql))
    } catch (error) {
      this.statements.delete(sql)
      throw error
    }
  }

  /** The first row, or undefined where there is none. */
  row<Row extends readonly unknown[]>(sql: string, ...parameters: SqlValue[]): Row | undefined {
    return this.prepare(sql).get(...parameters) as unknown as Row | undefined
  }

  /** The number of rows that a statement changed. */
  run(sql: string, ...parameters: SqlValue[]): number {
    return Number(this.prepare(sql).run(...parameters).changes)
  }

  /**
   * The table of a collection, or undefined where it doesn't exist. A table's name is never used again, so what was
   * once found stays right until the table is dropped.
   */
  table(collection: string): string | undefined {
    const known = this.tables.get(collection)
    const id = known ?? this.row<[number]>('SELECT id FROM collections WHERE name = ?', collection)?.[0]
    if (id === undefined) return undefined
    if (known === undefined) this.tables.set(collection, id)
    return `c${id}`
  }

  isInTransaction(): boolean {
    return this.db.isTransaction
  }

  /** The table of a collection, made where it doesn't exist yet. */
  tableToWrite(collection: string): string {
    const table = this.table(collection)
    if (table !== undefined) return table
    this.run('INSERT INTO collections (name) VALUES (?)', collection)
    const made = this.table(collection)!
    this.db.exec(collectionTable(made))
    return made
  }

  /**
   * The next place in a table's natural order. None is taken twice while the writer runs: a reader that holds the
   * places of the documents it found must not meet another document there.
   */
  nextPlace(table: string): number {
    const last =
      this.places.get(table) ?? this.row<[number | null]>(`SELECT max(seq) FROM ${table}`)?.[0] ?? 0
    return last + 1
  }

  takePlace(table: string, place: number): void {
    this.places.set(table, place)
  }

  forgetTables(): void {
    this.tables.clear()
  }

  /**
   * Copies the whole log into the file, so that the next write begins it anew; says whether it could not be done, for
   * reads that go on need the log.
   */
  restartLog(waitMs: number): boolean {
    this.db.exec(`PRAGMA busy_timeout = ${waitMs}`)
    try {
      return this.row<[number]>('PRAGMA wal_checkpoint(RESTART)')![0] === 1
    } finally {
      this.db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  close(): void {
    this.statements.clear()
    this.db.close()
  }
}

export type SqlValue = string | number | bigint | null | Uint8Array

/** A thread's connections, opened when first needed; at most `limit` stay open. */
export class Connections {
  private readonly open = new Map<string, Connection>()
  private readonly dataDir: string
  private readonly mode: ConnectionMode
  private readonly limit: number

  constructor({ dataDir, mode, limit }: { dataDir: string; mode: ConnectionMode; limit: number }) {
    this.dataDir = dataDir
    this.mode = mode
    this.limit = limit
  }

  /** @throws AppError `app_not_found` */
  to(app: string): Connection {
    const known = this.open.get(app)
    if (known !== undefined) {
      if (this.open.size > 1) {
        this.open.delete(app)
        this.open.set(app, known)
      }
      return known
    }
    const connection = new Connection(appFile(this.dataDir, app), this.mode)
    this.open.set(app, connection)
    if (this.open.size > this.limit) this.closeApp(this.open.keys().next().value!)
    return connection
  }

  /** Closes the connections to apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const app of this.open.keys()) if (!apps.has(app)) this.closeApp(app)
  }

  closeAll(): void {
    for (const app of this.open.keys()) this.closeApp(app)
  }

  private closeApp(app: string): void {
    this.open.get(app)?.close()
    this.open.delete(app)
  }
}

function appGone(): AppError {
  return new AppError('app_not_found', 'there is no such app')
}
