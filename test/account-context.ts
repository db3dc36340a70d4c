import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KeptAlerts } from '../src/alerts/alert-service.ts'
import { WebhookQueue } from '../src/alerts/webhook-queue.ts'
import { createPasskeys } from '../src/credentials/passkeys.ts'
import { createPasswords } from '../src/credentials/password.ts'
import { createQuotaUses, QuotaUses } from '../src/credentials/quota-uses.ts'
import { createResetLimits } from '../src/credentials/reset-limits.ts'
import { generateSecret, hashSecret } from '../src/credentials/secret.ts'
import { createSignInLimits } from '../src/credentials/sign-in-limits.ts'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { ProcessFacts, ServerFacts } from '../src/domain/server-facts.ts'
import { authenticateCaller } from '../src/operations/authenticate-caller.ts'
import type { AccountCaller, AccountsContext } from '../src/operations/context.ts'
import { signIn } from '../src/operations/sign-in.ts'
import type { SiteAddresses } from '../src/operations/site-origins.ts'
import { QueryStatsFile } from '../src/query-stats/query-stats-file.ts'
import type { SiteDomains } from '../src/sites/site-domains.ts'
import type { AccountRecord, LinkTarget } from '../src/storage/account-records.ts'
import type { AccountStore } from '../src/storage/account-store.ts'
import { openAccounts } from '../src/storage/sqlite/control/open-accounts.ts'
import { controlFile, openDataFolder } from '../src/storage/sqlite/files/data-folder.ts'
import { measureDisk, measureStorage } from '../src/storage/sqlite/files/measure-storage.ts'
import { SqliteIndexRegistry } from '../src/storage/sqlite/index-registry.ts'
import { SqliteBackups } from '../src/storage/sqlite/sqlite-backups.ts'
import { SqliteSites } from '../src/storage/sqlite/sqlite-sites.ts'

export const ORIGIN = 'https://db.example.org:8443'
export const SITES: SiteAddresses = {
  domain: 'sites.example',
  urlOf: (host) => `https://${host}:8443`,
}
/** Without the network: no domain is anybody's. */
export const SITE_DOMAINS: SiteDomains = {
  problem: () => undefined,
  prove: async () => ({ problem: 'nobody looked' }),
}
export const PASSWORD = 'weaving numbers 1843'
export const PROCESS: ProcessFacts = {
  ...{ version: '1.2.3', nodeVersion: 'v26.0.0', system: 'linux x64', startedAt: Date.UTC(2026, 10, 28) },
  threads: { http: 2, readers: 3 },
  memory: { usedBytes: 1000, mostBytes: 2000 },
}
/** Where the sessions of tests come from. */
export const FROM = { address: '192.0.2.7', userAgent: 'a browser' }

export interface TestAccountContext {
  readonly context: AccountsContext
  /** Milliseconds; the store and the limits go by it. */
  readonly clock: { now: number }
  /** The same with sign-in limits that have seen nothing, or another change. */
  contextWith(change?: Partial<AccountsContext>): AccountsContext
  /** Its e-mail is `<name>@example.org`, its password `PASSWORD`. */
  addAccount(name: string, more?: { isOperator?: boolean }): Promise<AccountRecord>
  /** Who has just signed in, with what the browser keeps. */
  enter(email: string, code?: string): Promise<{ caller: AccountCaller; secret: string }>
  /** The secret of a link that ends in an hour. */
  addLink(target: LinkTarget): Promise<string>
  /** SQL past the store, for damages. */
  run(sql: string): void
  close(): Promise<void>
}

export function serverFacts(dataDir: string): ServerFacts {
  return {
    process: () => PROCESS,
    certificates: () => [],
    disk: () => measureDisk(dataDir),
    storage: () => measureStorage(dataDir),
  }
}

/** What is known of the indexes in a folder. No thread is there before it is asked for something. */
export function indexesOf(dataDir: string): Pick<
  AccountsContext,
  'queryStats' | 'slowMs' | 'isAutoIndexOn' | 'limits' | 'backups' | 'siteFiles' | 'siteProblem' | 'quotaUses'
> & {
  readonly indexes: SqliteIndexRegistry
} {
  const onFailure = (error: unknown): never => assert.fail(String(error))
  const indexes = new SqliteIndexRegistry({ dataDir, onFailure })
  const limits = DEFAULT_LIMITS
  const backups = new SqliteBackups({
    ...{ dataDir, limits, version: '1.2.3', now: Date.now },
    onProblem: onFailure,
  })
  const queryStats = new QueryStatsFile({ dataDir })
  const siteFiles = new SqliteSites({ dataDir, limits, keptOf: async () => [], onFailure })
  const ofSites = { siteFiles, siteProblem: () => undefined }
  const quotaUses = new QuotaUses(createQuotaUses(), Date.now)
  return { indexes, queryStats, slowMs: 500, isAutoIndexOn: true, limits, backups, quotaUses, ...ofSites }
}

/** Alerts that are written down, and told to no webhook but on trial. */
export function alertsOf(accounts: AccountStore, now: () => number): AccountsContext['alerts'] {
  const store = async (): Promise<AccountStore> => accounts
  const send = async (): Promise<string> => 'nothing is sent'
  const queue = new WebhookQueue({ store, send, onProblem: assert.fail, now, random: () => 0.5 })
  return new KeptAlerts({ store, queue, webhookHosts: [], server: ORIGIN })
}

/** What operations on accounts work with, over a real store in a folder of its own. */
export async function openAccountContext(): Promise<TestAccountContext> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-accounts-'))
  openDataFolder(dataDir)
  const clock = { now: Date.UTC(2026, 10, 29) }
  const now = (): number => clock.now
  const accounts = await openAccounts({ dataDir, now })
  const passwords = createPasswords({ cores: 2 })
  const kept = await passwords.hash(PASSWORD)
  const server = serverFacts(dataDir)
  const ofIndexes = indexesOf(dataDir)
  const fresh = (change: Partial<AccountsContext> = {}): AccountsContext => ({
    ...{ accounts, passwords, signInLimits: createSignInLimits(now), now },
    limitResets: createResetLimits(now),
    ...{ origin: ORIGIN, sites: SITES, passkeys: createPasskeys(ORIGIN, now), isSignupOpen: false, server },
    siteDomains: SITE_DOMAINS,
    alerts: alertsOf(accounts, now),
    ...ofIndexes,
    ...change,
  })
  return {
    context: fresh(),
    clock,
    contextWith: fresh,
    addAccount: (name, { isOperator = false } = {}) =>
      accounts.createAccount({ email: `${name}@example.org`, name, password: kept, isOperator }, 'test'),
    async enter(email, code) {
      const { secret } = await signIn(fresh(), { email, password: PASSWORD, code, ...FROM })
      return { secret, caller: await authenticateCaller(fresh(), { sessionSecret: secret, ...FROM }) }
    },
    async addLink(target) {
      const secret = generateSecret()
      const until = clock.now + 60 * 60 * 1000
      await accounts.createLink({ ...target, hash: hashSecret(secret), until }, 'test')
      return secret
    },
    run(sql) {
      const db = new DatabaseSync(controlFile(dataDir))
      db.exec(sql)
      db.close()
    },
    async close() {
      await ofIndexes.indexes.close()
      await accounts.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
