import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import { UNLIMITED } from '../src/domain/key-rules.ts'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { AccountStore } from '../src/storage/account-store.ts'
import { isAppId } from '../src/storage/accounts/directory-rows.ts'
import { openPostgresAccounts } from '../src/storage/postgres/open-postgres-accounts.ts'
import {
  PostgresDirectoryWatch,
  type PostgresWatchOptions,
} from '../src/storage/postgres/postgres-directory-watch.ts'
import { accountsAndLinks } from './account-contract/accounts.ts'
import { alerts } from './account-contract/alerts.ts'
import { appSettings } from './account-contract/app-settings.ts'
import { appsAndKeys } from './account-contract/apps-and-keys.ts'
import { auditSearch } from './account-contract/audit-search.ts'
import { damagedRows } from './account-contract/damaged-rows.ts'
import { deletedApps } from './account-contract/deleted-apps.ts'
import { guards } from './account-contract/guards.ts'
import { ACTOR, hash, NOW, type TestAccounts } from './account-contract/harness.ts'
import { identities } from './account-contract/identities.ts'
import { ownerBounds } from './account-contract/owner-bounds.ts'
import { quotas } from './account-contract/quotas.ts'
import { restoredApps } from './account-contract/restored-apps.ts'
import { runs } from './account-contract/runs.ts'
import { signIn } from './account-contract/sign-in.ts'
import { siteDomains } from './account-contract/site-domains.ts'
import { siteKeys } from './account-contract/site-keys.ts'
import { sites } from './account-contract/sites.ts'
import { traffic } from './account-contract/traffic.ts'
import { trafficAdditions } from './account-contract/traffic-additions.ts'
import { upkeep } from './account-contract/upkeep.ts'
import { waysIn } from './account-contract/ways-in.ts'
import { type Postgres, startPostgres } from './start-postgres.ts'

let postgres: Postgres
/** A database that the suites use one after the other, for a new one takes longer than most tests. */
let shared: string
/** What makes it as it was when it was new. */
let renewal: string

before(async () => {
  postgres = await startPostgres()
  shared = await postgres.database()
  await (await openPostgresAccounts({ connectionString: shared, documents: NO_DOCUMENTS })).close()
  renewal = await rememberRows(shared)
})
after(() => postgres?.stop())

async function openPostgres(t: TestContext): Promise<TestAccounts & { connectionString: string }> {
  const connectionString = shared
  await run(connectionString, renewal)
  const apps = new Set<string>()
  // Of an id that can't be one nothing is removed.
  const documents = {
    create: (id: string) => void apps.add(id),
    adopt: (id: string) => void apps.add(id),
    remove: (id: string) => void (isAppId(id) && apps.delete(id)),
  }
  const clock = { now: NOW }
  const stores: AccountStore[] = []
  const open = async (limits = DEFAULT_LIMITS) => {
    const store = await openPostgresAccounts({ connectionString, documents, now: () => clock.now, limits })
    stores.push(store)
    return store
  }
  t.after(async () => {
    for (const store of stores) await store.close()
  })
  return {
    store: await open(),
    clock,
    open: (limits) => open({ ...DEFAULT_LIMITS, ...limits }),
    run: (sql) => run(connectionString, sql),
    documents: () => [...apps],
    connectionString,
  }
}

for (const suite of [
  alerts,
  appsAndKeys,
  auditSearch,
  appSettings,
  damagedRows,
  accountsAndLinks,
  signIn,
  sites,
  siteKeys,
  guards,
  identities,
  siteDomains,
  deletedApps,
  ownerBounds,
  quotas,
  restoredApps,
  runs,
  traffic,
  trafficAdditions,
  upkeep,
  waysIn,
])
  suite('PostgreSQL', openPostgres)

const NO_DOCUMENTS = { create: () => {}, adopt: () => {}, remove: () => {} }
/** So long that only a notification can have told. */
const NEVER_MS = 2 ** 31 - 1

/** Keeps the rows of every table in another schema. @returns SQL that brings them back, and takes all others away */
async function rememberRows(connectionString: string): Promise<string> {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
  const tables = rows.map(({ name }: { name: string }) => name)
  await client.query(
    `CREATE SCHEMA new; ${tables.map((name) => `CREATE TABLE new.${name} AS TABLE ${name}`).join(';')}`,
  )
  await client.end()
  const back = tables.map((name) => `DELETE FROM ${name}; INSERT INTO ${name} TABLE new.${name}`)
  // Without the references between tables, which would want an order.
  return `SET session_replication_role = replica; ${back.join(';')}`
}

async function run(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** What a watch has told, and a way to wait for the next of it. */
function watching(t: TestContext, options: Pick<PostgresWatchOptions, 'connectionString' | 'pollMs'>) {
  let told = Promise.withResolvers<number>()
  let failed = Promise.withResolvers<unknown>()
  const watch = new PostgresDirectoryWatch({
    ...options,
    onChange: ({ keysById }) => told.resolve(keysById.size),
    onPoll: () => {},
    onFailure: (error) => failed.resolve(error),
  })
  t.after(() => watch.close())
  return {
    watch,
    async keys() {
      const keys = await told.promise
      told = Promise.withResolvers()
      return keys
    },
    async failure() {
      const error = await failed.promise
      failed = Promise.withResolvers()
      return error
    },
  }
}

describe('accounts on PostgreSQL: the database', () => {
  it('is migrated once, whoever begins at the same time', async () => {
    const connectionString = await postgres.database()
    const open = () => openPostgresAccounts({ connectionString, documents: NO_DOCUMENTS })
    const stores = await Promise.all([open(), open(), open()])
    const directories = await Promise.all(stores.map((store) => store.readDirectory()))
    assert.deepEqual(
      directories.map(({ tokenSecrets }) => tokenSecrets.length),
      [1, 1, 1],
    )
    for (const store of stores) await store.close()
  })

  it('of version 3 keeps its apps, of which none is deleted', async () => {
    const connectionString = await postgres.database()
    const open = () => openPostgresAccounts({ connectionString, documents: NO_DOCUMENTS })
    const first = await open()
    const app = await first.createApp({ slug: 'demo', owner: null }, ACTOR)
    await first.close()
    // All that the steps behind it add.
    await run(
      connectionString,
      `ALTER TABLE apps DROP COLUMN deleted_at; ALTER TABLE apps DROP COLUMN settings;
      ALTER TABLE keys DROP COLUMN token_generation; DROP TABLE passkeys; DROP TABLE identities;
      DROP TABLE sites; DROP TABLE deploys; DROP TABLE site_domains;
      DROP TABLE traffic; DROP TABLE alerts; DROP TABLE account_quotas;
      DELETE FROM kysely_migration WHERE name > '004'`,
    )
    const store = await open()
    assert.deepEqual([await store.listApps(), await store.listDeletedApps()], [[app], []])
    await store.deleteApp('demo', ACTOR)
    assert.equal((await store.listDeletedApps()).length, 1)
    await store.close()
  })

  it('is refused where a newer Sheaf wrote it, and where it can not be reached', async () => {
    const connectionString = await postgres.database()
    const open = (where: string) => openPostgresAccounts({ connectionString: where, documents: NO_DOCUMENTS })
    await (await open(connectionString)).close()
    await run(
      connectionString,
      "INSERT INTO kysely_migration VALUES ('999-later', '2030-01-01T00:00:00.000Z')",
    )
    await assert.rejects(open(connectionString), {
      code: 'data_folder_unusable',
      message: 'the database was written by a newer Sheaf (version 10, this one knows 9); upgrade',
    })
    await assert.rejects(open('postgres://postgres@127.0.0.1:1/none'), { code: 'store_unavailable' })
  })

  it('tells whoever watches of each change of the directory, and of no other', async (t) => {
    const { store, connectionString } = await openPostgres(t)
    const { watch, keys } = watching(t, { connectionString, pollMs: NEVER_MS })
    await watch.poll()
    assert.equal(await keys(), 0)
    const ada = { email: 'ada@example.org', name: 'Ada', password: '$argon2id$', isOperator: true }
    const { id: account } = await store.createAccount(ada, ACTOR)
    await store.createSession({ way: 'password', account, hash: hash('a'), address: '', userAgent: '' })
    await store.createKey({ owner: account, name: 'web', hash: hash('1'), rules: UNLIMITED }, ACTOR)
    assert.equal(await keys(), 1)
    await store.revokeKey({ owner: account, name: 'web' }, ACTOR)
    assert.equal(await keys(), 0)
  })

  it('is looked at now and then for what no notification told, and anew after a connection broke', async (t) => {
    const { store, connectionString } = await openPostgres(t)
    const { watch, keys, failure } = watching(t, { connectionString, pollMs: 20 })
    await watch.poll()
    assert.equal(await keys(), 0)
    await store.createKey({ owner: null, name: 'web', hash: hash('1'), rules: UNLIMITED }, ACTOR)
    assert.equal(await keys(), 1)
    const others = 'pid <> pg_backend_pid() AND datname = current_database()'
    await run(connectionString, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`)
    await run(
      connectionString,
      'DELETE FROM key_secrets; DELETE FROM keys; UPDATE directory_version SET version = 99',
    )
    assert.equal(await keys(), 0)
    await run(connectionString, 'ALTER TABLE directory_version RENAME TO lost')
    // That the connection broke may have been told before.
    while (!/relation "directory_version" does not exist/.test(String(await failure()))) {}
    await run(
      connectionString,
      'ALTER TABLE lost RENAME TO directory_version; UPDATE directory_version SET version = 100',
    )
    assert.equal(await keys(), 0)
  })
})
