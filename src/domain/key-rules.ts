/** What a key may do to documents. Reading back what a write returns needs no `read`. */
export const VERBS = ['read', 'create', 'update', 'delete'] as const

export type Verb = (typeof VERBS)[number]

/** A bound on requests: so many a stretch of that length, which may be used up at once after a pause. */
export interface Rate {
  readonly requests: number
  readonly perMs: number
}

/** Everything that limits a key. All rules hold together, for its tokens too. */
export interface KeyRules {
  readonly verbs: readonly Verb[]
  /** Slugs. */
  readonly apps: 'all' | readonly string[]
  readonly collections: 'all' | readonly string[]
  /** Networks in CIDR form, of IPv4 and IPv6. */
  readonly addresses: 'all' | readonly string[]
  /** Patterns of web origins: `host`, `https://host:port`, `https://*.host`. */
  readonly websites: 'all' | readonly string[]
  /** Whether pages on localhost and 127.0.0.1, on any port, pass the website rule. */
  readonly localhost: boolean
  readonly rate: Rate | null
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number | null
  readonly tokenLifetimeMs: number
}

export const DEFAULT_TOKEN_LIFETIME_MS = 10 * 24 * 60 * 60 * 1000

export const UNLIMITED: KeyRules = Object.freeze({
  verbs: VERBS,
  apps: 'all',
  collections: 'all',
  addresses: 'all',
  websites: 'all',
  localhost: true,
  rate: null,
  expiresAt: null,
  tokenLifetimeMs: DEFAULT_TOKEN_LIFETIME_MS,
})

/** How a list of verbs is shown and written: `full`, or the verbs in their order with commas. */
export function permissionText(verbs: readonly Verb[]): string {
  if (verbs.length === VERBS.length) return 'full'
  return VERBS.filter((verb) => verbs.includes(verb)).join(',')
}
