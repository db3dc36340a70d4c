import { type KeyRules, type Rate, VERBS } from '../../../domain/key-rules.ts'
import { storedTime } from './stored-times.ts'

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

/** What could be read of a key's rules. */
export interface StoredRules {
  /** All of them, where none is damaged. */
  readonly rules: Partial<KeyRules>
  /** Those that are missing or have not their form. */
  readonly damaged: readonly (keyof KeyRules)[]
}

/** Of a key whose rules can't be read: a rule that was lost must not let anybody do more than it did. */
export const NO_RIGHTS: KeyRules = Object.freeze({
  verbs: [],
  apps: [],
  collections: [],
  addresses: [],
  websites: [],
  localhost: false,
  rate: null,
  expiresAt: 0,
  tokenLifetimeMs: 1,
})

/** The form that each rule has to have. */
const FORMS: Readonly<Record<keyof KeyRules, (value: unknown) => boolean>> = {
  verbs: isVerbs,
  apps: isNames,
  collections: isNames,
  addresses: isNames,
  websites: isNames,
  localhost: (value) => typeof value === 'boolean',
  rate: isRate,
  expiresAt: isTimeOrNone,
  tokenLifetimeMs: isCount,
}

/** The options of `sheaf key` that set them. */
const WORDS: Readonly<Record<keyof KeyRules, string>> = {
  verbs: '--permission',
  apps: '--app',
  collections: '--collection',
  addresses: '--ip',
  websites: '--website',
  localhost: '--localhost',
  rate: '--rate',
  expiresAt: '--expires',
  tokenLifetimeMs: '--token-lifetime',
}

/** Reads rules back. */
export function rulesFromText(text: string): StoredRules {
  const stored = objectFrom(text)
  const names = Object.keys(FORMS) as (keyof KeyRules)[]
  const damaged = names.filter((name) => !FORMS[name](stored[name]))
  const whole = names.filter((name) => !damaged.includes(name))
  return { rules: Object.fromEntries(whole.map((name) => [name, stored[name]])), damaged }
}

/** Names rules for people. */
export function ruleWords(names: readonly (keyof KeyRules)[]): string {
  return names.map((name) => WORDS[name]).join(', ')
}

function objectFrom(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(text) as object) } as Record<string, unknown>
  } catch {
    return {}
  }
}

function isVerbs(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((verb) => VERBS.includes(verb))
}

function isNames(value: unknown): boolean {
  return value === 'all' || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isTimeOrNone(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && storedTime(BigInt(value as number)) !== undefined)
}

function isRate(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object') return false
  const { requests, perMs } = value as Partial<Rate>
  return isCount(requests) && isCount(perMs)
}
