import { describeRules, type RulesDescription } from '../operations/describe-rules.ts'
import type { RotatedKey } from '../operations/rotate-key.ts'

type KeyRecord = RotatedKey['record']

/** A key as `--json` prints it; never the key itself. */
export interface KeyJson extends RulesDescription {
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** When each of the secrets that were rotated out stops working. */
  readonly oldKeysUntil: readonly string[]
}

export function keyJson(record: KeyRecord): KeyJson {
  return {
    name: record.name,
    ...describeRules(record.rules),
    createdAt: isoTime(record.createdAt),
    lastUsedAt: record.lastUsedAt === null ? null : isoTime(record.lastUsedAt),
    oldKeysUntil: record.secrets.flatMap(({ until }) => (until === null ? [] : [isoTime(until)])),
  }
}

export const KEY_COLUMNS = ['NAME', 'RULES', 'CREATED', 'LAST USED'] as const

export function keyRow(record: KeyRecord): string[] {
  const { name, createdAt, lastUsedAt } = keyJson(record)
  return [name, rulesInShort(record), createdAt, lastUsedAt ?? 'never']
}

/** What limits a key, in one line: `full`, or `read; apps shop,blog; 100/min`. */
function rulesInShort({ rules, secrets }: KeyRecord): string {
  const { permission, apps, collections, addresses, websites, localhost, rate, expires } =
    describeRules(rules)
  const rotated = secrets.findLast(({ until }) => until !== null)
  return [
    permission,
    list('apps', apps),
    list('collections', collections),
    list('ips', addresses),
    list('websites', websites === 'all' || !localhost ? websites : [...websites, 'localhost']),
    rate === 'none' ? undefined : rate,
    expires === 'never' ? undefined : `expires ${expires}`,
    rotated === undefined ? undefined : `rotated, the old key ends ${isoTime(rotated.until!)}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ')
}

function list(what: string, names: 'all' | readonly string[]): string | undefined {
  return names === 'all' ? undefined : `${what} ${names.join(',')}`
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
