import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely'

/** Kysely's dialect for SQLite, over `node:sqlite`. Whoever opened the database closes it. */
export class NodeSqliteDialect extends SqliteDialect {
  private readonly db: DatabaseSync

  constructor(db: DatabaseSync) {
    super({ database: bridgeTo(db) })
    this.db = db
  }

  override createDriver(): SqliteDriver {
    return new NodeSqliteDriver(this.db)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

class NodeSqliteDriver extends SqliteDriver {
  private readonly db: DatabaseSync

  constructor(db: DatabaseSync) {
    super({ database: bridgeTo(db) })
    this.db = db
  }

  /** A change takes its lock at once: one that has read can't get it any more when another connection has written. */
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings = {},
  ): Promise<void> {
    const begin = settings.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
  }

  /** SQLite itself rolls back where the disk is full or fails. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.db.isTransaction) await super.rollbackTransaction(connection)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  /** As SQLite does: a migration that fails leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function bridgeTo(db: DatabaseSync): SqliteDatabase {
  return {
    close: () => {},
    prepare(sql) {
      const statement = db.prepare(sql)
      // One number that a double can't hold would fail the whole statement.
      statement.setReadBigInts(true)
      const values = (parameters: readonly unknown[]): SQLInputValue[] => [...parameters] as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      }
    },
  }
}
