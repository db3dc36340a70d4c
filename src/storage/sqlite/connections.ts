import { Connection, type ConnectionMode } from './connection.ts'
import { appFile } from './data-folder.ts'

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
