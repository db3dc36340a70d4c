import type { KeyRules, Permission } from '../../../src/domain/key-rules.ts'
import { NOW } from '../key-directory.ts'

/** A key's rules, the headers that its requests come with, and what the rules come to. */
export interface RuleCase {
  readonly name: string
  readonly rules: Partial<KeyRules>
  readonly headers?: Readonly<Record<string, string>>
  /** What becomes of every request, where the rules let none in. */
  readonly refused?: readonly [status: number, code: string]
  /** Whether the rate is used up before the requests of the matrix. */
  readonly isUsedUp?: boolean
}

export const ALL_PERMISSIONS: readonly Permission[] = ['read', 'create', 'update', 'delete']

/** Every permission: none, each alone, pairs, all but one, all. */
const PERMISSION_LISTS: readonly (readonly Permission[])[] = Array.from({ length: 16 }, (_, bits) =>
  ALL_PERMISSIONS.filter((_each, index) => bits & (1 << index)),
)
const FEW_PERMISSION_LISTS = PERMISSION_LISTS.filter(
  ({ length }) => length === 1 || length === ALL_PERMISSIONS.length,
)

type Places = Pick<RuleCase, 'name'> & { readonly rules: Partial<KeyRules> }

/** `drops` are the collections that requests of the matrix drop. */
function places(drops: readonly string[]): readonly Places[] {
  return [
    { name: 'anywhere', rules: {} },
    { name: 'its app', rules: { apps: ['demo'] } },
    { name: 'its app and one that is gone', rules: { apps: ['demo', 'gone'] } },
    { name: 'another app', rules: { apps: ['other'] } },
    { name: 'no app', rules: { apps: [] } },
    { name: 'its collection', rules: { collections: ['things', ...drops] } },
    { name: 'another collection', rules: { collections: ['thing', 'Things', 'things '] } },
    { name: 'its app and collection', rules: { apps: ['demo'], collections: [...drops, 'things'] } },
    { name: 'its app and another collection', rules: { apps: ['demo'], collections: ['x'] } },
    { name: 'another app and its collection', rules: { apps: ['other'], collections: ['things'] } },
  ]
}

const ORIGIN = 'https://www.example.com'
const SITE = ['https://*.example.com']
const ELSEWHERE = ['192.0.2.0/24', '2001:db8::/32']
const ONCE = { requests: 1, perMs: 60_000 }

const ADDRESS: RuleCase['refused'] = [403, 'address_not_allowed']
const WEBSITE: RuleCase['refused'] = [403, 'website_not_allowed']
const EXPIRED: RuleCase['refused'] = [401, 'invalid_credentials']
const RATE: RuleCase['refused'] = [429, 'rate_limited']

/** Rules that ask where a request comes from, when and how often. */
const AT_THE_DOOR: readonly RuleCase[] = [
  { name: 'address in', rules: { addresses: ['192.0.2.0/24', '127.0.0.0/8', '::1'] } },
  { name: 'address in as mapped', rules: { addresses: ['::ffff:127.0.0.1', '::1/128'] } },
  { name: 'address out', rules: { addresses: ELSEWHERE }, refused: ADDRESS },
  { name: 'no address in', rules: { addresses: [] }, refused: ADDRESS },
  {
    name: 'address out, whatever is said',
    rules: { addresses: ELSEWHERE },
    headers: { 'X-Forwarded-For': '192.0.2.7', Forwarded: 'for=192.0.2.7', 'X-Real-IP': '192.0.2.7' },
    refused: ADDRESS,
  },
  { name: 'website in', rules: { websites: SITE }, headers: { Origin: ORIGIN } },
  { name: 'website in by referer', rules: { websites: SITE }, headers: { Referer: `${ORIGIN}/a?b` } },
  { name: 'website missing', rules: { websites: SITE }, refused: WEBSITE },
  {
    name: 'website null',
    rules: { websites: SITE },
    headers: { Origin: 'null', Referer: ORIGIN },
    refused: WEBSITE,
  },
  {
    name: 'website the apex',
    rules: { websites: SITE },
    headers: { Origin: 'https://example.com' },
    refused: WEBSITE,
  },
  {
    name: 'website out',
    rules: { websites: SITE },
    headers: { Origin: 'https://a.evil-example.com' },
    refused: WEBSITE,
  },
  {
    name: 'website out, referer in',
    rules: { websites: SITE },
    headers: { Origin: 'https://evil.org', Referer: `${ORIGIN}/` },
    refused: WEBSITE,
  },
  {
    name: 'website on http',
    rules: { websites: SITE },
    headers: { Origin: 'http://www.example.com' },
    refused: WEBSITE,
  },
  {
    name: 'website of this machine',
    rules: { websites: SITE },
    headers: { Origin: 'http://localhost:5173' },
  },
  {
    name: 'website of this machine, not wanted',
    rules: { websites: SITE, localhost: false },
    headers: { Origin: 'http://localhost:5173' },
    refused: WEBSITE,
  },
  { name: 'no rule on websites', rules: {}, headers: { Origin: 'https://evil.org' } },
  { name: 'expired', rules: { expiresAt: NOW }, refused: EXPIRED },
  { name: 'expired long ago', rules: { expiresAt: 1 }, refused: EXPIRED },
  { name: 'not expired', rules: { expiresAt: NOW + 1000 } },
  { name: 'rate left', rules: { rate: { requests: 1_000_000, perMs: 1000 } } },
  { name: 'rate used up', rules: { rate: ONCE }, isUsedUp: true, refused: RATE },
  { name: 'expired, address out', rules: { expiresAt: NOW, addresses: ELSEWHERE }, refused: EXPIRED },
  { name: 'address out, website missing', rules: { addresses: ELSEWHERE, websites: SITE }, refused: ADDRESS },
  { name: 'website missing, no rate', rules: { websites: SITE, rate: ONCE }, refused: WEBSITE },
  {
    name: 'rate used up, another app',
    rules: { rate: ONCE, apps: ['other'] },
    isUsedUp: true,
    refused: RATE,
  },
  {
    name: 'address out, no permission',
    rules: { addresses: ELSEWHERE, permission: [], apps: [] },
    refused: ADDRESS,
  },
  {
    name: 'everything in',
    rules: {
      addresses: ['127.0.0.1', '::1'],
      websites: SITE,
      apps: ['demo'],
      permission: ['read', 'create'],
      expiresAt: NOW + 1,
    },
    headers: { Origin: ORIGIN },
  },
]

export function ruleCases(drops: readonly string[]): RuleCase[] {
  const byPlace = places(drops).flatMap(({ name, rules }, index) =>
    (index === 0 ? PERMISSION_LISTS : FEW_PERMISSION_LISTS).map((permission) => ({
      name: `${permission.join('+') || 'no permission'}, ${name}`,
      rules: { ...rules, permission },
    })),
  )
  return [...AT_THE_DOOR, ...byPlace]
}

/** With these every kind of credential is tried at every endpoint; with the others one kind at each, in turn. */
export const TRIED_WITH_EVERY_CREDENTIAL: ReadonlySet<string> = new Set([
  'address out',
  'website in',
  'expired',
  'rate used up',
  'create, anywhere',
  'read+create+update+delete, anywhere',
  'read+create+update+delete, another app',
])
