import { type KeyRules, NO_RIGHTS } from '../../domain/key-rules.ts'
import { isAppSlug } from '../../domain/names.ts'
import type { AppRecord, Directory, KeyRecord, KeySecret, TokenSecret } from '../store.ts'
import {
  DEFAULT_QUOTA_SELECT,
  QUOTAS_SELECT,
  type QuotaRows,
  quotaDamages,
  quotasFrom,
} from './quota-rows.ts'
import { DEPLOYS_SELECT, DOMAINS_SELECT, SITES_SELECT, type SiteRows, sitesFrom } from './site-rows.ts'
import { rulesFromText, ruleWords, type StoredRules } from './stored-rules.ts'
import { settingsFromText } from './stored-settings.ts'
import { storedEnd, storedTime } from './stored-times.ts'

/*
 * The directory as rows, which need no query builder: these texts are the same on every database. Integers are read as
 * bigints, for one that a double can't hold would fail the whole statement.
 */

/** In one snapshot, or they could be of several moments. */
export const DIRECTORY_SELECTS = {
  keys: 'SELECT id, name, owner, rules, created_at, last_used_at, token_generation FROM keys ORDER BY name, id',
  secrets: 'SELECT key_id, hash, until FROM key_secrets ORDER BY seq DESC',
  apps: 'SELECT id, slug, owner, created_at, settings FROM apps WHERE deleted_at IS NULL ORDER BY slug',
  tokenSecrets: 'SELECT kid, secret, until FROM token_secrets ORDER BY seq DESC',
  sites: SITES_SELECT,
  deploys: DEPLOYS_SELECT,
  domains: DOMAINS_SELECT,
  quotas: QUOTAS_SELECT,
  defaultQuota: DEFAULT_QUOTA_SELECT,
} as const

/** Rises with every change of the directory. */
export const VERSION_SELECT = 'SELECT version FROM directory_version'

export type KeyRow = [
  id: string,
  name: string,
  owner: string | null,
  rules: string,
  createdAt: bigint,
  lastUsedAt: bigint | null,
  tokenGeneration: bigint,
]
export type SecretRow = [keyId: string, hash: string, until: bigint | null]
export type AppRow = [id: string, slug: string, owner: string | null, createdAt: bigint, settings: string]
export type TokenSecretRow = [kid: string, secret: Uint8Array, until: bigint | null]

export interface DirectoryRows extends SiteRows, QuotaRows {
  readonly keys: KeyRow[]
  readonly secrets: SecretRow[]
  readonly apps: AppRow[]
  readonly tokenSecrets: TokenSecretRow[]
}

export const TOKEN_SECRET_BYTES = 32

export function directoryFrom(rows: DirectoryRows): Directory {
  const keys = keyRecords({ ...rows, siteKeys: new Set(rows.sites.map(([, , keyId]) => keyId)) })
  const apps = rows.apps.map(appRecord)
  const tokenSecrets = rows.tokenSecrets.map(tokenSecret).filter(isWholeSecret)
  const quotas = quotasFrom(rows)
  const wholeApps = new Map(apps.filter(isWholeApp).map((app) => [app.slug, app]))
  return {
    apps: wholeApps,
    keysByHash: new Map(keys.flatMap((key) => key.secrets.map(({ hash }) => [hash, key]))),
    keysById: new Map(keys.map((key) => [key.id, key])),
    tokenSecrets,
    sites: sitesFrom(rows, wholeApps),
    ...(quotas !== undefined && { quotas }),
    damages: [
      ...keys.filter(({ damage }) => damage !== undefined).map(keyDamage),
      ...apps.filter((app) => !isWholeApp(app)).map(appDamage),
      ...apps.filter(({ damage }) => damage !== undefined).map(settingsDamage),
      ...quotaDamages(rows),
      ...(tokenSecrets.some(({ until }) => until === null) ? [] : [NO_SECRET]),
    ],
  }
}

/** One of which a part can't be read is among them, marked, and lets nobody in. */
export function keyRecords({
  keys,
  secrets,
  siteKeys,
}: Pick<DirectoryRows, 'keys' | 'secrets'> & {
  /** The ids of those that are a site's. */
  readonly siteKeys: ReadonlySet<string | null>
}): KeyRecord[] {
  const secretsOf = Map.groupBy(secrets, ([keyId]) => keyId)
  // Of ten thousand keys most have the rules of another one.
  const rules = new Map<string, StoredRules>()
  return keys.map((row) => {
    const [id, , , text] = row
    const known = rules.get(text) ?? rulesFromText(text)
    rules.set(text, known)
    const record = keyRecord(row, known, secretsOf.get(id) ?? [])
    return siteKeys.has(id) ? { ...record, isSiteKey: true } : record
  })
}

/** One whose settings can't be read is marked, and lets no key in. */
export function appRecord([id, slug, owner, createdAt, text]: AppRow): AppRecord {
  const stored = settingsFromText(text)
  const app = { id, slug, owner, createdAt: storedTime(createdAt) ?? 0 }
  if (stored === undefined) return app
  const { settings, damaged } = stored
  return { ...app, settings, ...(damaged.length > 0 && { damage: `${damaged.join(', ')} can't be read` }) }
}

/** Whether an id can be an app's: it becomes the name of a file. */
export function isAppId(id: string): boolean {
  return /^[0-9A-Za-z]{1,64}$/.test(id)
}

function keyRecord(
  [id, name, owner, , createdAt, lastUsedAt, tokenGeneration]: KeyRow,
  { rules, damaged }: StoredRules,
  secrets: readonly SecretRow[],
): KeyRecord {
  return {
    id,
    name,
    owner,
    rules: damaged.length === 0 ? (rules as KeyRules) : NO_RIGHTS,
    secrets: secrets.map(keySecret),
    createdAt: storedTime(createdAt) ?? 0,
    lastUsedAt: lastUsedAt === null ? null : (storedTime(lastUsedAt) ?? 0),
    ...(tokenGeneration !== 0n && { tokenGeneration: storedGeneration(tokenGeneration) }),
    ...(damaged.length > 0 && { damage: `the rules of ${ruleWords(damaged)} can't be read` }),
  }
}

/** What can't be read is the number of no token. */
function storedGeneration(value: bigint): number {
  return value > 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : Number.NaN
}

function keySecret([, hash, until]: SecretRow): KeySecret {
  return { hash, until: storedEnd(until) }
}

function tokenSecret([kid, secret, until]: TokenSecretRow): TokenSecret {
  return { kid, secret, until: storedEnd(until) }
}

function isWholeSecret({ secret }: TokenSecret): boolean {
  return secret instanceof Uint8Array && secret.length === TOKEN_SECRET_BYTES
}

function isWholeApp({ id, slug }: AppRecord): boolean {
  return isAppId(id) && isAppSlug(slug)
}

const NO_SECRET =
  'the secret that signs tokens can\'t be read: no token is made; "sheaf token rotate-secret" makes another one'

function keyDamage({ name, damage }: KeyRecord): string {
  return `the key ${JSON.stringify(name)} lets nobody in: ${damage}; "sheaf key update" or "sheaf key revoke" mends that`
}

function settingsDamage({ slug, damage }: AppRecord): string {
  return `the app ${JSON.stringify(slug)} lets no key in: of its settings ${damage}; "sheaf app update" or its page Security mends that`
}

function appDamage({ slug }: AppRecord): string {
  return `the app ${JSON.stringify(slug)} is passed over: its row in control.sqlite is damaged; restore it from a backup`
}
