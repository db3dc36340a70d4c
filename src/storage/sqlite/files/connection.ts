import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../../errors.ts'
import { Catalog } from './catalog.ts'
import { QueryFunctions } from './functions.ts'
import { migrateAppFile } from './schema.ts'
import { SQLITE_BUSY, sqliteCode } from './sqlite-code.ts'

const BUSY_TIMEOUT_MS = 5000
/** Those that were prepared last are kept in any case, for some of them are in use. */
const LEAST_STATEMENTS = 16
/** Between two tries to begin a transaction that writes. */
const RETRY_MS = 0.5
/** Longer statements come from unusual queries, and a few of them would fill the memory. */
const CACHED_SQL_LENGTH = 16 * 1024
/** Kibibytes of pages that a connection keeps in memory. */
const PAGE_CACHE_KIB = 4096
/** With less a connection would read the same pages again and again for one statement. */
const LEAST_PAGE_CACHE_KIB = 256
/** What is left of a write-ahead log that a large write made long. */
const LOG_BYTES = 16 * 1024 * 1024

export type ConnectionMode = 'reader' | 'writer'

/** One thread's connection to one app's file. */
export class Connection {
  readonly functions: QueryFunctions
  readonly catalog: Catalog
  private readonly db: DatabaseSync
  private readonly statements = new Map<string, StatementSync>()
  /** The one that was used last, where that is kept. */
  private latest: StatementSync | undefined
  private readonly beginMs: number
  private statementsLength = 0
  private pageKib = PAGE_CACHE_KIB
  private most = { statements: Number.POSITIVE_INFINITY, length: Number.POSITIVE_INFINITY }

  /**
   * @param beginMs how long a transaction that writes waits for others to end
   * @throws AppError `app_not_found` where the app's file is gone
   */
  constructor(path: string, mode: ConnectionMode, beginMs = BUSY_TIMEOUT_MS) {
    this.beginMs = beginMs
    if (!existsSync(path)) throw appGone()
    const url = pathToFileURL(path)
    // Opening must never make the file: an app that was deleted a moment ago would come back empty.
    url.search = 'mode=rw'
    this.db = new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS })
    try {
      this.configure(mode)
    } catch (error) {
      // Or its files would stay open until the garbage is collected.
      this.db.close()
      throw error
    }
    this.functions = new QueryFunctions(this.db)
    this.catalog = new Catalog(this)
  }

  private configure(mode: ConnectionMode): void {
    this.db.exec(
      `PRAGMA cache_size = -${PAGE_CACHE_KIB}; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LOG_BYTES}`,
    )
    // The log keeper sees to it that the log is copied into the file.
    this.db.exec('PRAGMA wal_autocheckpoint = 0')
    migrateAppFile(this.db)
    if (mode === 'reader') this.db.exec('PRAGMA query_only = ON')
  }

  /** A prepared statement that answers rows as arrays. */
  prepare(sql: string): StatementSync {
    const known = this.statements.get(sql)
    if (known !== undefined) {
      if (known === this.latest) return known
      this.statements.delete(sql)
      this.statements.set(sql, known)
      this.latest = known
      return known
    }
    const statement = this.db.prepare(sql)
    statement.setReturnArrays(true)
    // A deadline is given to every statement that may ask for the time: whether it does depends on its filter.
    statement.setAllowUnknownNamedParameters(true)
    if (sql.length > CACHED_SQL_LENGTH) return statement
    this.statements.set(sql, statement)
    this.latest = statement
    this.statementsLength += sql.length
    this.forgetStatements()
    return statement
  }

  /**
   * How many prepared statements are kept from here on, and units of their SQL together, at most; the least recently
   * used one goes first.
   */
  keepStatements(most: { readonly statements: number; readonly length: number }): void {
    this.most = most
    this.forgetStatements()
  }

  /** How much memory it keeps pages of its file in, at most; never more than is of use. */
  keepPages(bytes: number): void {
    const kib = Math.max(LEAST_PAGE_CACHE_KIB, Math.min(PAGE_CACHE_KIB, Math.floor(bytes / 1024)))
    if (kib === this.pageKib) return
    this.pageKib = kib
    this.db.exec(`PRAGMA cache_size = -${kib}`)
  }

  /**
   * Works with a statement whose rows are gone through one by one. One that failed on the way is let go of: Node.js
   * would report that failure again, without a word of what it was, when the statement is used next.
   */
  withStatement<T>(sql: string, work: (statement: StatementSync) => T): T {
    try {
      return work(this.prepare(sql))
    } catch (error) {
      this.forgetStatement(sql)
      throw error
    }
  }

  /** The first row, or undefined where there is none. */
  row<Row extends readonly unknown[]>(sql: string, ...parameters: StatementParameters): Row | undefined {
    return this.prepare(sql).get(...(parameters as SqlValue[])) as unknown as Row | undefined
  }

  /** The number of rows that a statement changed. */
  run(sql: string, ...parameters: StatementParameters): number {
    return Number(this.prepare(sql).run(...(parameters as SqlValue[])).changes)
  }

  /**
   * Begins a transaction that writes, once no other connection has one. What others do in the same file, the work on
   * indexes, comes in short transactions; SQLite's own way of waiting sleeps for up to 100 ms, past the gaps between.
   */
  beginWrite(): void {
    this.waitFor(0)
    try {
      for (const until = performance.now() + this.beginMs; !this.tryToBegin(until); )
        Atomics.wait(NEVER, 0, 0, RETRY_MS)
    } finally {
      this.waitFor(BUSY_TIMEOUT_MS)
    }
  }

  /** False where another connection is writing, and there is time left. */
  private tryToBegin(until: number): boolean {
    try {
      this.run('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || performance.now() > until) throw error
      return false
    }
  }

  /** How long statements wait for a file that is locked. */
  private waitFor(milliseconds: number): void {
    this.row(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  private forgetStatements(): void {
    const { statements, length } = this.most
    const isTooMuch = (): boolean => this.statements.size > statements || this.statementsLength > length
    while (isTooMuch() && this.statements.size > LEAST_STATEMENTS)
      this.forgetStatement(this.statements.keys().next().value!)
  }

  /** Also closes it, for a forgotten one would keep its memory until the garbage is collected. */
  private forgetStatement(sql: string): void {
    const statement = this.statements.get(sql) as ClosableStatement | undefined
    if (statement === undefined) return
    this.statements.delete(sql)
    this.statementsLength -= sql.length
    statement.close?.()
  }

  isInTransaction(): boolean {
    return this.db.isOpen && this.db.isTransaction
  }

  /** Runs what has no parameters and is not worth keeping prepared. */
  execute(sql: string): void {
    this.db.exec(sql)
  }

  /**
   * Copies the whole log into the file, so that the next write begins it anew; says whether it could not be done, for
   * reads that go on need the log.
   */
  restartLog(waitMs: number): boolean {
    this.waitFor(waitMs)
    try {
      return this.row<[number]>('PRAGMA wal_checkpoint(RESTART)')![0] === 1
    } finally {
      this.waitFor(BUSY_TIMEOUT_MS)
    }
  }

  /** Writes a page as it is, so that a transaction that changes nothing has something to commit. */
  rewriteFirstPage(): void {
    const [version] = this.row<[number]>('PRAGMA user_version')!
    this.db.exec(`PRAGMA user_version = ${version}`)
  }

  close(): void {
    this.statements.clear()
    this.db.close()
  }
}

/** Nobody wakes up those who wait for it. */
const NEVER = new Int32Array(new SharedArrayBuffer(4))

/** Node.js 24 can't close a statement. */
type ClosableStatement = StatementSync & { close?: () => void }

/** When a statement has to give up, in milliseconds of `performance.now()`. */
export type TimeLimit = { readonly deadline: number }

/** Node.js takes those that have names in one object, before all others. */
type StatementParameters = readonly SqlValue[] | readonly [TimeLimit, ...SqlValue[]]

export type SqlValue = string | number | bigint | null | Uint8Array

function appGone(): AppError {
  return new AppError('app_not_found', 'there is no such app')
}
