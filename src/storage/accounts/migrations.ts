import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { createAnalytics } from './create-analytics.ts'
import { createOtherWaysIn } from './create-other-ways-in.ts'
import { createSites } from './create-sites.ts'
import { type ColumnTypes, create, ofAccount, type Past } from './migrated-tables.ts'

type Step = (db: Past, types: ColumnTypes) => Promise<void>

/**
 * Step n brings a database of version n to version n + 1. Steps are never changed once released, only added; the first
 * two were released as SQL for SQLite.
 */
const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ['001-apps-and-keys', createAppsAndKeys],
  ['002-key-rules', createKeyRules],
  ['003-accounts', createAccounts],
  ['004-deleted-apps', keepDeletedApps],
  ['005-token-generations', countTokenGenerations],
  ['006-app-settings', keepAppSettings],
  ['007-other-ways-in', createOtherWaysIn],
  ['008-sites', createSites],
  ['009-analytics', createAnalytics],
]

export const MIGRATION_NAMES: readonly string[] = STEPS.map(([name]) => name)

/**
 * Does the steps that are missing, each once, in one transaction.
 * @param taken how many were done to the database before Kysely's own record of them was kept
 */
export async function migrate(
  db: Past,
  { types, taken }: { types: ColumnTypes; taken: number },
): Promise<void> {
  const migrations = STEPS.map(([name, step], index): [string, Migration] => [
    name,
    { up: async (past) => (index < taken ? undefined : await step(past, types)) },
  ])
  const provider = { getMigrations: async () => Object.fromEntries(migrations) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
}

async function createAppsAndKeys(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types
  const { schema } = db
  await create(
    types,
    schema
      .createTable('settings')
      .addColumn('name', text, (column) => column.notNull().primaryKey())
      .addColumn('value', bytes, (column) => column.notNull()),
  )
  await create(
    types,
    schema
      .createTable('apps')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('slug', text, (column) => column.notNull().unique())
      .addColumn('created_at', integer, (column) => column.notNull()),
  )
  await create(
    types,
    schema.createTable('removed_apps').addColumn('id', text, (column) => column.notNull().primaryKey()),
  )
  await create(
    types,
    schema
      .createTable('keys')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('name', text, (column) => column.notNull().unique())
      .addColumn('hash', text, (column) => column.notNull().unique())
      .addColumn('permission', text, (column) => column.notNull())
      .addColumn('apps', text)
      .addColumn('created_at', integer, (column) => column.notNull()),
  )
}

/** What every key of version 1 could do. */
const EVERYTHING =
  '{"verbs":["read","create","update","delete"],"apps":"all","collections":"all","addresses":"all",' +
  '"websites":"all","localhost":true,"rate":null,"expiresAt":null,"tokenLifetimeMs":864000000}'

async function createKeyRules(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types
  await create(
    types,
    db.schema
      .createTable('ruled_keys')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('name', text, (column) => column.notNull().unique())
      .addColumn('rules', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_used_at', integer),
  )
  await sql`INSERT INTO ruled_keys(id, name, rules, created_at)
    SELECT id, name, ${sql.lit(EVERYTHING)}, created_at FROM keys`.execute(db)
  await create(
    types,
    db.schema
      .createTable('key_secrets')
      .addColumn('seq', integer, (column) => column.primaryKey())
      .addColumn('key_id', text, (column) => column.notNull())
      .addColumn('hash', text, (column) => column.notNull().unique())
      .addColumn('until', integer),
  )
  await db.schema.createIndex('key_secrets_by_key').on('key_secrets').column('key_id').execute()
  await sql`INSERT INTO key_secrets(seq, key_id, hash)
    SELECT row_number() OVER (ORDER BY id), id, hash FROM keys`.execute(db)
  await db.schema.dropTable('keys').execute()
  await db.schema.alterTable('ruled_keys').renameTo('keys').execute()
  await create(
    types,
    db.schema
      .createTable('token_secrets')
      .addColumn('seq', integer, (column) => column.primaryKey())
      .addColumn('kid', text, (column) => column.notNull().unique())
      .addColumn('secret', bytes, (column) => column.notNull())
      .addColumn('until', integer),
  )
  await sql`INSERT INTO token_secrets(seq, kid, secret)
    SELECT 1, ${randomBytes(8).toString('hex')}, value FROM settings WHERE name = 'token_secret'`.execute(db)
  await sql`DELETE FROM settings WHERE name = 'token_secret'`.execute(db)
  await create(
    types,
    db.schema
      .createTable('audit')
      .addColumn('seq', integer, (column) => column.primaryKey())
      .addColumn('at', integer, (column) => column.notNull())
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('action', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('details', text, (column) => column.notNull()),
  )
}

async function createAccounts(db: Past, types: ColumnTypes): Promise<void> {
  await addOwners(db, types)
  await createAccountTables(db, types)
  await createCredentialTables(db, types)
}

/** What there was has no owner: it is the operator's. */
async function addOwners(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer } = types
  await db.schema.alterTable('apps').addColumn('owner', text).execute()
  // The keys anew, for their names were unique among all.
  await create(
    types,
    db.schema
      .createTable('owned_keys')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('owner', text)
      .addColumn('rules', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_used_at', integer),
  )
  await sql`INSERT INTO owned_keys(id, name, rules, created_at, last_used_at)
    SELECT id, name, rules, created_at, last_used_at FROM keys`.execute(db)
  await db.schema.dropTable('keys').execute()
  await db.schema.alterTable('owned_keys').renameTo('keys').execute()
  await sql`CREATE UNIQUE INDEX keys_by_name ON keys(coalesce(owner, ''), name)`.execute(db)
  for (const column of ['account', 'app', 'address'])
    await db.schema.alterTable('audit').addColumn(column, text).execute()
  await db.schema.createIndex('audit_by_account').on('audit').columns(['account', 'seq']).execute()
  await db.schema.createIndex('audit_by_app').on('audit').columns(['app', 'seq']).execute()
  await create(
    types,
    db.schema.createTable('directory_version').addColumn('version', integer, (column) => column.notNull()),
  )
  await sql`INSERT INTO directory_version(version) VALUES (1)`.execute(db)
}

async function createAccountTables(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types
  await create(
    types,
    db.schema
      .createTable('accounts')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('email', text, (column) => column.notNull())
      .addColumn('folded_email', text, (column) => column.notNull().unique())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('password', text, (column) => column.notNull())
      .addColumn('is_operator', integer, (column) => column.notNull())
      .addColumn('totp_secret', bytes)
      .addColumn('totp_step', integer)
      .addColumn('preferences', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull()),
  )
  await create(
    types,
    ofAccount(db, types, 'app_shares')
      .addColumn('app', text, (column) => column.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('role', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('app_shares_by_app', ['app', 'account']),
  )
  await db.schema.createIndex('app_shares_by_account').on('app_shares').column('account').execute()
  await create(
    types,
    ofAccount(db, types, 'known_addresses')
      .addColumn('address', text, (column) => column.notNull())
      .addColumn('last_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('known_addresses_by_account', ['account', 'address']),
  )
  await create(
    types,
    db.schema
      .createTable('links')
      .addColumn('hash', text, (column) => column.notNull().primaryKey())
      .addColumn('purpose', text, (column) => column.notNull())
      .addColumn('account', text, (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('email', text)
      .addColumn('is_operator', integer, (column) => column.notNull())
      .addColumn('until', integer, (column) => column.notNull()),
  )
}

async function createCredentialTables(db: Past, types: ColumnTypes): Promise<void> {
  const { text, integer } = types
  await create(
    types,
    ofAccount(db, types, 'recovery_codes')
      .addColumn('hash', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_by_account', ['account', 'hash']),
  )
  await create(
    types,
    ofAccount(db, types, 'sessions')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('hash', text, (column) => column.notNull().unique())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('seen_at', integer, (column) => column.notNull())
      .addColumn('authenticated_at', integer, (column) => column.notNull())
      .addColumn('address', text, (column) => column.notNull())
      .addColumn('user_agent', text, (column) => column.notNull()),
  )
  await db.schema.createIndex('sessions_by_account').on('sessions').column('account').execute()
  await create(
    types,
    ofAccount(db, types, 'account_tokens')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('hash', text, (column) => column.notNull().unique())
      .addColumn('permissions', text, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('last_used_at', integer)
      .addUniqueConstraint('account_tokens_by_name', ['account', 'name']),
  )
}

/** When an app was deleted, which can be restored for a while. */
async function keepDeletedApps(db: Past, { integer }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('apps').addColumn('deleted_at', integer).execute()
}

/** Of a key: how often its tokens were ended. */
async function countTokenGenerations(db: Past, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('keys')
    .addColumn('token_generation', integer, (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Of an app: what holds for all of its keys, and for its documents. */
async function keepAppSettings(db: Past, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('apps')
    .addColumn('settings', text, (column) => column.notNull().defaultTo('{}'))
    .execute()
}
