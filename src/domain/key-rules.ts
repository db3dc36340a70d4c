/** What a key may do to documents. Reading back what a write returns needs no `read`. */
export const PERMISSIONS = ['read', 'create', 'update', 'delete'] as const

export type Permission = (typeof PERMISSIONS)[number]

/** A bound on requests: so many a stretch of that length, which may be used up at once after a pause. */
export interface Rate {
  readonly requests: number
  readonly perMs: number
}

/** Everything that limits a key. All rules hold together, for its tokens too. */
export interface KeyRules {
  readonly permission: readonly Permission[]
  /** Slugs; `all` are those of the key's owner. A key reaches nobody else's, whatever it names. */
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

interface KeyRule<Value> {
  /** The option of `sheaf key` that sets it. */
  readonly option: `--${string}`
  /** Its name in stored rules and in the audit trail, which never changes. */
  readonly storedAs: string
  /** What a key has that was made without the rule. */
  readonly unlimited: Value
  /** What a key has whose rules can't be read: a rule that was lost must not let anybody do more than it did. */
  readonly closed: Value
  /** Whether a stored value has the form of the rule. */
  readonly isValid: (stored: unknown) => boolean
}

/** The last instant that a `Date` can hold (ECMAScript, section 21.4.1.1). */
const LATEST_MS = 8.64e15

export const DEFAULT_TOKEN_LIFETIME_MS = 10 * 24 * 60 * 60 * 1000

/** Every rule; one that is missing does not compile. */
export const KEY_RULES: { readonly [Rule in keyof KeyRules]: KeyRule<KeyRules[Rule]> } = {
  permission: {
    option: '--permission',
    storedAs: 'verbs',
    unlimited: PERMISSIONS,
    closed: [],
    isValid: isPermission,
  },
  apps: { option: '--app', storedAs: 'apps', unlimited: 'all', closed: [], isValid: isNames },
  collections: {
    option: '--collection',
    storedAs: 'collections',
    unlimited: 'all',
    closed: [],
    isValid: isNames,
  },
  addresses: { option: '--address', storedAs: 'addresses', unlimited: 'all', closed: [], isValid: isNames },
  websites: { option: '--website', storedAs: 'websites', unlimited: 'all', closed: [], isValid: isNames },
  localhost: {
    option: '--localhost',
    storedAs: 'localhost',
    unlimited: true,
    closed: false,
    isValid: (stored) => typeof stored === 'boolean',
  },
  rate: { option: '--rate', storedAs: 'rate', unlimited: null, closed: null, isValid: isRate },
  expiresAt: {
    option: '--expires',
    storedAs: 'expiresAt',
    unlimited: null,
    closed: 0,
    isValid: isTimeOrNone,
  },
  tokenLifetimeMs: {
    option: '--token-lifetime',
    storedAs: 'tokenLifetimeMs',
    unlimited: DEFAULT_TOKEN_LIFETIME_MS,
    closed: 1,
    isValid: isCount,
  },
}

export const RULES = Object.keys(KEY_RULES) as readonly (keyof KeyRules)[]

export const UNLIMITED: KeyRules = ofEach(({ unlimited }) => unlimited)

/** Of a key whose rules can't be read. */
export const NO_RIGHTS: KeyRules = ofEach(({ closed }) => closed)

/** Whether a key may reach this app of its owner, by its slug. */
export function isForApp({ apps }: Pick<KeyRules, 'apps'>, slug: string): boolean {
  return apps === 'all' || apps.includes(slug)
}

/** Whether a key may reach a collection of that name. */
export function isForCollection({ collections }: Pick<KeyRules, 'collections'>, name: string): boolean {
  return collections === 'all' || collections.includes(name)
}

/** Whether a key may reach this app, by its slug, and no other of its owner. */
export function isForAppAlone({ apps }: Pick<KeyRules, 'apps'>, slug: string): boolean {
  return apps !== 'all' && apps.length === 1 && apps[0] === slug
}

/** Rules by the names under which they are stored. */
export function storedRules(rules: Partial<KeyRules>): Readonly<Record<string, unknown>> {
  const given = RULES.filter((rule) => rules[rule] !== undefined)
  return Object.fromEntries(given.map((rule) => [KEY_RULES[rule].storedAs, rules[rule]]))
}

/** The same the other way round, with what is stored beside rules. */
export function rulesOfStored(stored: Readonly<Record<string, unknown>>): {
  readonly rules: Partial<KeyRules>
  readonly others: Readonly<Record<string, unknown>>
} {
  const ruleOf = new Map<string, keyof KeyRules>(RULES.map((rule) => [KEY_RULES[rule].storedAs, rule]))
  const { rules = [], others = [] } = Object.groupBy(Object.entries(stored), ([name]) =>
    ruleOf.has(name) ? 'rules' : 'others',
  )
  return {
    rules: Object.fromEntries(rules.map(([name, value]) => [ruleOf.get(name)!, value])),
    others: Object.fromEntries(others),
  }
}

/** How a permission is shown and written: `full`, or its parts in their order with commas. */
export function permissionText(permission: readonly Permission[]): string {
  if (permission.length === PERMISSIONS.length) return 'full'
  return PERMISSIONS.filter((each) => permission.includes(each)).join(',')
}

function ofEach(read: (rule: KeyRule<unknown>) => unknown): KeyRules {
  const values = Object.fromEntries(RULES.map((rule) => [rule, read(KEY_RULES[rule])]))
  return Object.freeze(values) as unknown as KeyRules
}

function isPermission(stored: unknown): boolean {
  return Array.isArray(stored) && stored.length > 0 && stored.every((each) => PERMISSIONS.includes(each))
}

function isNames(stored: unknown): boolean {
  return stored === 'all' || (Array.isArray(stored) && stored.every((name) => typeof name === 'string'))
}

function isCount(stored: unknown): boolean {
  return Number.isSafeInteger(stored) && (stored as number) > 0
}

function isTimeOrNone(stored: unknown): boolean {
  if (stored === null) return true
  return Number.isSafeInteger(stored) && (stored as number) >= 0 && (stored as number) <= LATEST_MS
}

function isRate(stored: unknown): boolean {
  if (stored === null) return true
  if (typeof stored !== 'object') return false
  const { requests, perMs } = stored as Partial<Rate>
  return isCount(requests) && isCount(perMs)
}
