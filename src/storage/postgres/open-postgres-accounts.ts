import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { DEFAULT_LIMITS, type Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import type { AccountStore } from '../account-store.ts'
import type { AccountDatabase, AppDocuments } from '../accounts/account-database.ts'
import { KyselyAccountStore } from '../accounts/kysely-account-store.ts'
import { MIGRATION_NAMES, migrate } from '../accounts/migrations.ts'
import type { Tables } from '../accounts/tables.ts'
import { postgresError } from './account-failures.ts'
import { DIRECTORY_CHANNEL, VALUE_TYPES } from './postgres-connection.ts'

/** Of this process; changes follow one after the other anyway. */
const CONNECTIONS = 5
const CONNECT_TIMEOUT_MS = 5000
/** 'SHFC' in ASCII: the lock that changes of accounts take, in PostgreSQL's own numbering. */
const CHANGE_LOCK = 0x53_48_46_43n

export interface PostgresAccountOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString: string
  readonly documents: AppDocuments
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number
  /** For whoever makes apps and keys. */
  readonly limits?: Pick<Limits, 'apps' | 'keys'>
}

/**
 * Opens the accounts of a PostgreSQL database, whose tables are made where there are none.
 * @throws AppError `store_unavailable`, `data_folder_unusable` where a newer Sheaf wrote it
 */
export async function openPostgresAccounts({
  connectionString,
  documents,
  now = Date.now,
  limits = DEFAULT_LIMITS,
}: PostgresAccountOptions): Promise<AccountStore> {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: VALUE_TYPES,
  })
  // A connection that breaks while nobody uses it is replaced when one is needed.
  pool.on('error', () => {})
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const database: AccountDatabase = {
    kysely,
    lockChanges: async (change) => {
      await sql`select pg_advisory_xact_lock(${CHANGE_LOCK}::bigint)`.execute(change)
    },
    announce: async (change) => {
      await sql`select pg_notify(${DIRECTORY_CHANNEL}, '')`.execute(change)
    },
    errorOf: postgresError,
    close: () => pool.end(),
  }
  try {
    await migrateDatabase(kysely)
    const store = new KyselyAccountStore({ database, documents, now, limits })
    await store.tidy()
    return store
  } catch (error) {
    await pool.end()
    throw postgresError(error)
  }
}

async function migrateDatabase(kysely: Kysely<Tables>): Promise<void> {
  const done = await migrationsDone(kysely)
  if (done.some((name) => !MIGRATION_NAMES.includes(name)))
    throw new AppError(
      'data_folder_unusable',
      `the database was written by a newer Sheaf (version ${done.length}, this one knows ${MIGRATION_NAMES.length}); upgrade`,
    )
  if (done.length === MIGRATION_NAMES.length) return
  const types = { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea`, end: undefined }
  await migrate(kysely, { types, taken: 0 })
}

async function migrationsDone(kysely: Kysely<Tables>): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`.execute(
    kysely,
  )
  if (table.rows[0]?.name == null) return []
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
  return done.rows.map(({ name }) => name)
}
