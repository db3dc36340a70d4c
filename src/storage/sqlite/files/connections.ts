import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { Connection, type ConnectionMode } from './connection.ts'
import { appFile, controlFile } from './data-folder.ts'
import { SQLITE_BUSY, sqliteCode } from './sqlite-code.ts'
import { scarcity, storageProblem } from './storage-problem.ts'

/**
 * Prepared statements that a thread keeps, a few kibibytes each, which its connections share evenly: with 1,000
 * collections in one app, to prepare each anew takes as long as to read a document.
 */
const STATEMENTS = 3000
/** Units of their SQL: what a statement takes grows with it, and rare ones are long. */
const STATEMENTS_LENGTH = 512 * 1024

interface ConnectionsOptions {
  readonly dataDir: string
  readonly mode: ConnectionMode
  /** Connections that stay open; the least recently used one goes first, and its statements with it. */
  readonly limit: number
  /** Memory for pages of their files, which they share evenly; without it each has as much as is of use. */
  readonly pageBytes?: number | undefined
  /** Told when the process has as many files open as it may, so that other threads close theirs. */
  readonly onScarce?: () => void
}

/** A thread's connections, opened when first needed. */
export class Connections {
  private readonly open = new Map<string, Connection>()
  private readonly dataDir: string
  private readonly mode: ConnectionMode
  private readonly limit: number
  private readonly pageBytes: number
  private readonly onScarce: () => void

  constructor({
    dataDir,
    mode,
    limit,
    pageBytes = Number.POSITIVE_INFINITY,
    onScarce = () => {},
  }: ConnectionsOptions) {
    this.pageBytes = pageBytes
    this.dataDir = dataDir
    this.mode = mode
    this.limit = limit
    this.onScarce = onScarce
  }

  /** @throws AppError `app_not_found`, `store_unavailable` */
  to(app: string): Connection {
    const known = this.open.get(app)
    if (known !== undefined) {
      if (this.open.size > 1) {
        this.open.delete(app)
        this.open.set(app, known)
      }
      return known
    }
    // Before another is opened, so that there are never more.
    while (this.open.size >= this.limit) this.closeApp(this.open.keys().next().value!)
    const connection = this.connect(app)
    this.open.set(app, connection)
    this.shareStatements()
    return connection
  }

  /** The connection to an app where it is open. */
  opened(app: string): Connection | undefined {
    return this.open.get(app)
  }

  /** Closes the connections to apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const app of this.open.keys()) if (!apps.has(app)) this.closeApp(app)
  }

  closeAll(): void {
    for (const app of this.open.keys()) this.closeApp(app)
  }

  private connect(app: string): Connection {
    const path = appFile(this.dataDir, app)
    try {
      return new Connection(path, this.mode)
    } catch (error) {
      if (scarcity(path, error) === undefined) throw this.openingFailure(app, error)
    }
    // The others can be opened again when they are needed.
    this.closeAll()
    this.onScarce()
    try {
      return new Connection(path, this.mode)
    } catch (error) {
      throw this.openingFailure(app, error)
    }
  }

  /** With the file's path for the log: of one that is gone, damaged, or not this user's. */
  private openingFailure(app: string, error: unknown): unknown {
    const isGone = error instanceof AppError && error.code === 'app_not_found'
    if (isGone && !isListed(this.dataDir, app)) return error
    const code = sqliteCode(error)
    if (!(error instanceof AppError) && (code === undefined || code === SQLITE_BUSY)) return error
    const path = appFile(this.dataDir, app)
    const reason = storageProblem(path, error) ?? (isGone ? 'it is gone' : (error as Error).message)
    const cause = new Error(`${path}: ${reason}`)
    if (error instanceof AppError && !isGone) return new AppError(error.code, error.message, { cause })
    const message = 'the file with the documents of this app can not be opened right now; try again later'
    return new AppError('store_unavailable', message, { cause })
  }

  private shareStatements(): void {
    const { size } = this.open
    for (const connection of this.open.values()) {
      connection.keepStatements({ statements: STATEMENTS / size, length: STATEMENTS_LENGTH / size })
      connection.keepPages(this.pageBytes / size)
    }
  }

  private closeApp(app: string): void {
    this.open.get(app)?.close()
    this.open.delete(app)
  }
}

/** Whether the control file has an app, whose file then has to be there. Asked only where it isn't. */
function isListed(dataDir: string, app: string): boolean {
  const db = new DatabaseSync(controlFile(dataDir), { readOnly: true })
  try {
    return db.prepare('SELECT 1 FROM apps WHERE id = ?').get(app) !== undefined
  } finally {
    db.close()
  }
}
