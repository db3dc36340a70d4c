import { NO_SETTINGS } from '../../../domain/app-settings.ts'
import { describeRules } from '../../../domain/describe-rules.ts'
import { type KeyRules, UNLIMITED } from '../../../domain/key-rules.ts'
import { parseKeyRules } from '../../../domain/key-rules-input.ts'
import { describeAppSettings, readAppSettings } from '../../../domain/read-app-settings.ts'
import { readKeyRules } from '../../../domain/read-key-rules.ts'
import { AppError } from '../../../errors.ts'
import { hasAutoIndex } from '../../accounts/auto-index-setting.ts'
import type { BackedUpApp, BackedUpKey } from '../../backup-store.ts'
import type { AppRecord, KeyRecord, KeySecret } from '../../store.ts'
import { damaged } from './manifest.ts'

/** Of one key. */
const MOST_SECRETS = 100
const HASH = /^[0-9a-f]{64}$/

interface Described {
  /** Of all owners. */
  readonly keys: readonly KeyRecord[]
  /** Those of the control file. */
  readonly settings: { setting(name: string): string | undefined }
}

/** What a backup has of an app beside its documents, as JSON. */
export function appDescription(app: AppRecord, { keys, settings }: Described): string {
  const { id, slug, owner, damage } = app
  // The key of the site is made anew with one: without it, it would be good to nobody.
  const own = keys.filter(
    ({ rules: { apps }, damage, isSiteKey, ...key }) =>
      key.owner === owner && !isSiteKey && damage === undefined && apps !== 'all' && apps.includes(slug),
  )
  const described = own.map(({ name, createdAt, rules, secrets }) => ({
    ...{ name, createdAt, secrets },
    rules: describeRules(rules),
  }))
  const text = {
    slug,
    isAutoIndexOn: hasAutoIndex(settings, id),
    settings: damage === undefined ? describeAppSettings(app.settings ?? NO_SETTINGS) : null,
    keys: described,
  }
  return `${JSON.stringify(text, undefined, 1)}\n`
}

/**
 * Reads it back, whoever wrote it. A key that has expired is left out, and so are secrets that have.
 * @param bounds with the time in milliseconds since the Unix epoch, and how many keys the server may have
 * @throws AppError `invalid_backup`, `too_many_keys`
 */
export function appFromDescription(
  text: string,
  { now, most }: { readonly now: number; readonly most: number },
): BackedUpApp {
  try {
    const { slug, isAutoIndexOn, settings, keys } = JSON.parse(text) as Record<string, unknown>
    if (typeof slug !== 'string' || typeof isAutoIndexOn !== 'boolean' || !Array.isArray(keys))
      throw new Error('a field is missing')
    if (keys.length > most)
      throw new AppError('too_many_keys', `the app has ${keys.length} keys, and this server may have ${most}`)
    return {
      ...{ slug, isAutoIndexOn },
      settings: settingsFrom(settings),
      keys: keys.flatMap((key) => keyFrom(key, now)),
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_keys') throw error
    throw damaged('what it says of the app', error)
  }
}

/** Backups of earlier versions have none; null is what stands there for those that can't be read. */
function settingsFrom(settings: unknown): BackedUpApp['settings'] {
  if (settings === undefined) return undefined
  return settings === null ? 'unreadable' : { ...NO_SETTINGS, ...readAppSettings(settings) }
}

function keyFrom(key: Record<string, unknown>, now: number): BackedUpKey[] {
  const { name, createdAt, secrets } = key
  const given = readKeyRules(key.rules)
  if (
    typeof name !== 'string' ||
    !Number.isSafeInteger(createdAt) ||
    !Array.isArray(secrets) ||
    secrets.length > MOST_SECRETS
  )
    throw new Error('a field of a key is missing')
  if (Date.parse(given.expires ?? 'never') <= now) return []
  const rules: KeyRules = { ...UNLIMITED, ...parseKeyRules(given, { now }) }
  const going = secrets.map(secretFrom).filter(({ until }) => until === null || until > now)
  return going.length === 0 ? [] : [{ name, createdAt: createdAt as number, rules, secrets: going }]
}

function secretFrom({ hash, until }: Record<string, unknown>): KeySecret {
  if (typeof hash !== 'string' || !HASH.test(hash)) throw new Error('the hash of a key is none')
  if (until !== null && !Number.isSafeInteger(until)) throw new Error('the end of a key is none')
  return { hash, until: until as number | null }
}
