/** What a key may do to documents, in the order in which it is written. */
export const PERMISSIONS = ['read', 'create', 'update', 'delete'] as const

type List = 'all' | readonly string[]

/** A key's rules as the server reads and writes them. */
export interface KeyRules {
  readonly permission: string
  readonly apps: List
  readonly collections: List
  readonly addresses: List
  readonly websites: List
  readonly localhost: boolean
  /** `none` without a limit. */
  readonly rate: string
  /** `never` without an end. */
  readonly expires: string
  readonly tokenLifetime: string
}

/** A key as the server shows it: without rules where they can't be read. */
export interface AppKey extends Partial<KeyRules> {
  readonly id: string
  readonly name: string
  /** Whether it is published with the app's site. */
  readonly isSiteKey?: true
  readonly sentence: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly oldKeysUntil: readonly string[]
}

/** The same as they are typed: lists with an entry a line, and nothing where there is no limit. */
export interface TypedRules {
  readonly permission: readonly string[]
  readonly apps: string
  readonly collections: string
  readonly addresses: string
  readonly websites: string
  readonly localhost: boolean
  readonly rate: string
  readonly expires: string
  readonly tokenLifetime: string
}

const TOKEN_LIFETIME = '10d'

/** Of a key that is for one app, and may only read where its app doesn't say otherwise. */
export function newRules(slug: string, defaults: Partial<KeyRules> = {}): TypedRules {
  return typedRules({ permission: 'read', ...defaults, apps: [slug] })
}

export function typedRules(rules: Partial<KeyRules>): TypedRules {
  const { permission = '', localhost = true, rate = 'none', expires = 'never' } = rules
  return {
    permission: permission === 'full' ? PERMISSIONS : permission.split(',').filter((each) => each !== ''),
    apps: lines(rules.apps),
    collections: lines(rules.collections),
    addresses: lines(rules.addresses),
    websites: lines(rules.websites),
    localhost,
    rate: rate === 'none' ? '' : rate,
    expires: expires === 'never' ? '' : expires,
    tokenLifetime: rules.tokenLifetime ?? TOKEN_LIFETIME,
  }
}

export function writtenRules(typed: TypedRules): KeyRules {
  return {
    permission: PERMISSIONS.filter((each) => typed.permission.includes(each)).join(','),
    apps: list(typed.apps),
    collections: list(typed.collections),
    addresses: list(typed.addresses),
    websites: list(typed.websites),
    localhost: typed.localhost,
    rate: typed.rate.trim() || 'none',
    expires: typed.expires.trim() || 'never',
    tokenLifetime: typed.tokenLifetime.trim() || TOKEN_LIFETIME,
  }
}

/** Those rules alone that differ. */
export function editsOf(before: TypedRules, after: TypedRules): Partial<TypedRules> {
  const names = Object.keys(before) as (keyof TypedRules)[]
  const changed = names.filter((name) => String(before[name]) !== String(after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name]]))
}

/** Those rules alone that differ: one that stays may be one that couldn't be set anew, such as an end that is past. */
export function changedRules(before: TypedRules, after: TypedRules): Partial<KeyRules> {
  const written = writtenRules(after)
  const names = Object.keys(editsOf(before, after)) as (keyof TypedRules)[]
  return Object.fromEntries(names.map((name) => [name, written[name]]))
}

export function lines(entries: List = 'all'): string {
  return entries === 'all' ? '' : entries.join('\n')
}

export function list(text: string): List {
  const entries = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return entries.length === 0 ? 'all' : entries
}
