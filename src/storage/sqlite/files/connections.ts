import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { Connection, type ConnectionMode } from './connection.ts'
import { appFile, controlFile, SQLITE_BUSY, sqliteCode } from './data-folder.ts'

/**
 * Prepared statements that a thread keeps, a few kibibytes each, which its connections share evenly: with 1,000
 * collections in one app, to prepare each anew takes as long as to read a document.
 */
const STATEMENTS = 3000
/** Units of their SQL: what a statement takes grows with it, and rare ones are long. */
const STATEMENTS_LENGTH = 512 * 1024

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
    const connection = this.opened(app)
    this.open.set(app, connection)
    if (this.open.size > this.limit) this.closeApp(this.open.keys().next().value!)
    this.shareStatements()
    return connection
  }

  /** Closes the connections to apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const app of this.open.keys()) if (!apps.has(app)) this.closeApp(app)
  }

  closeAll(): void {
    for (const app of this.open.keys()) this.closeApp(app)
  }

  private opened(app: string): Connection {
    const path = appFile(this.dataDir, app)
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
    const cause = new Error(
      `${appFile(this.dataDir, app)}: ${isGone ? 'it is gone' : (error as Error).message}`,
    )
    if (error instanceof AppError && !isGone) return new AppError(error.code, error.message, { cause })
    const message = 'the file with the documents of this app can not be opened right now; try again later'
    return new AppError('store_unavailable', message, { cause })
  }

  private shareStatements(): void {
    const { size } = this.open
    for (const connection of this.open.values())
      connection.keepStatements({ statements: STATEMENTS / size, length: STATEMENTS_LENGTH / size })
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
