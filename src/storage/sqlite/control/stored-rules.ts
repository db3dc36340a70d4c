import { type KeyRules, type Rate, VERBS, type Verb } from '../../../domain/key-rules.ts'

/** How a key's rules are written down. */
export function rulesToText(rules: KeyRules): string {
  const { verbs, apps, collections, addresses, websites, localhost, rate, expiresAt, tokenLifetimeMs } = rules
  return JSON.stringify({
    verbs,
    apps,
    collections,
    addresses,
    websites,
    localhost,
    rate,
    expiresAt,
    tokenLifetimeMs,
  })
}

/**
 * Reads rules back. Every one has to be there and to have its form: a rule that was lost must not let anybody do
 * more than it did.
 * @throws Error saying which rule is damaged
 */
export function rulesFromText(text: string): KeyRules {
  const rules = JSON.parse(text) as Readonly<Record<keyof KeyRules, unknown>>
  return {
    verbs: valid('verbs', rules.verbs, isVerbs),
    apps: valid('apps', rules.apps, isNames),
    collections: valid('collections', rules.collections, isNames),
    addresses: valid('addresses', rules.addresses, isNames),
    websites: valid('websites', rules.websites, isNames),
    localhost: valid('localhost', rules.localhost, isBoolean),
    rate: valid('rate', rules.rate, isRate),
    expiresAt: valid('expiresAt', rules.expiresAt, isTimeOrNone),
    tokenLifetimeMs: valid('tokenLifetimeMs', rules.tokenLifetimeMs, isCount),
  }
}

function valid<T>(rule: keyof KeyRules, value: unknown, isValid: (value: unknown) => value is T): T {
  if (isValid(value)) return value
  throw new Error(`the rule ${rule} is damaged`)
}

function isVerbs(value: unknown): value is readonly Verb[] {
  return Array.isArray(value) && value.length > 0 && value.every((verb) => VERBS.includes(verb))
}

function isNames(value: unknown): value is 'all' | readonly string[] {
  return value === 'all' || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isTimeOrNone(value: unknown): value is number | null {
  return value === null || Number.isSafeInteger(value)
}

function isRate(value: unknown): value is Rate | null {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const { requests, perMs } = value as Partial<Rate>
  return isCount(requests) && isCount(perMs)
}
