import { describeRules } from '../domain/describe-rules.ts'
import { isoTime } from '../domain/iso-time.ts'
import { type KeyRules, UNLIMITED } from '../domain/key-rules.ts'
import type { RulesDescription } from '../domain/key-rules-input.ts'
import { describeKey, keySentence } from '../operations/describe-key.ts'
import type { RotatedKey } from '../operations/rotate-key.ts'

import { lineSafe } from './terminal-safe.ts'

type KeyRecord = RotatedKey['record']

export const KEY_COLUMNS = ['NAME', 'RULES', 'CREATED', 'LAST USED'] as const

/** @param now in milliseconds since the Unix epoch */
export function keyRow(record: KeyRecord, now: number): string[] {
  const { name, createdAt, lastUsedAt } = describeKey(record)
  return [name, rulesInShort(record, now), createdAt, lastUsedAt ?? 'never']
}

/** What limits a key, in one line: `full`, or `read; apps shop,blog; 100/min`. */
function rulesInShort({ rules, secrets, damage, isSiteKey }: KeyRecord, now: number): string {
  if (damage !== undefined) return `DAMAGED, lets nobody in: ${damage}`
  const isExpired = rules.expiresAt !== null && rules.expiresAt <= now
  const oldOnes = secrets.flatMap(({ until }) => (until === null ? [] : [until]))
  const described = describeRules(rules)
  return [
    isSiteKey ? 'site key' : undefined,
    ...Object.values(IN_SHORT).map((short) => short(described, isExpired)),
    isExpired || oldOnes.length === 0 ? undefined : rotated(oldOnes, rules.expiresAt),
  ]
    .filter((part) => part !== undefined)
    .join('; ')
}

/** Below the table of keys: each in a sentence. */
export function keySentences(records: readonly KeyRecord[]): string {
  if (records.length === 0) return ''
  const lines = records.map(
    (record) => `${lineSafe(record.name)}: ${keySentence(record, { names: SHOWN_NAMES })}`,
  )
  return `\n\n${lines.join('\n')}`
}

/** The names that are shown of a long list. */
const SHOWN_NAMES = 5

type Short = (rules: RulesDescription, isExpired: boolean) => string | undefined

/** What each rule adds to the line, nothing where it limits nothing; one that is missing does not compile. */
const IN_SHORT: Readonly<Record<keyof KeyRules, Short>> = {
  permission: ({ permission }) => permission,
  apps: ({ apps }) => list('apps', apps),
  collections: ({ collections }) => list('collections', collections),
  addresses: ({ addresses }) => list('addresses', addresses),
  websites: ({ websites, localhost }) => {
    const text = list('websites', websites)
    return text !== undefined && localhost ? `${text} and localhost` : text
  },
  // Told with the websites, without which it limits nothing.
  localhost: () => undefined,
  rate: ({ rate }) => (rate === 'none' ? undefined : rate),
  tokenLifetimeMs: ({ tokenLifetime }) =>
    tokenLifetime === describeRules(UNLIMITED).tokenLifetime ? undefined : `tokens for ${tokenLifetime}`,
  expiresAt: ({ expires }, isExpired) =>
    expires === 'never' ? undefined : `${isExpired ? 'expired' : 'expires'} ${expires}`,
}

function list(what: string, names: 'all' | readonly string[]): string | undefined {
  // Those of a site key are none of its own.
  if (names === 'all' || names.length === 0) return undefined
  const shown = names
    .slice(0, SHOWN_NAMES)
    .map((name) => (/[\s,;"]/.test(name) ? JSON.stringify(name) : name))
  const others = names.length - shown.length
  return `${what} ${shown.join(',')}${others > 0 ? ` and ${others} more` : ''}`
}

/** @param untils of the secrets that were rotated out, at least one */
function rotated(untils: readonly number[], expiresAt: number | null): string {
  const end = isoTime(Math.min(Math.max(...untils), expiresAt ?? Number.POSITIVE_INFINITY))
  return untils.length === 1
    ? `rotated, the old key ends ${end}`
    : `rotated, the last of ${untils.length} old keys ends ${end}`
}
