import { type KeyRules, type Rate, VERBS, type Verb } from '../domain/key-rules.ts'
import { collectionName, isAppSlug } from '../domain/names.ts'
import { AppError } from '../errors.ts'
import { parseDuration } from './duration.ts'
import { networkInput } from './network-input.ts'
import { websiteInput } from './website-input.ts'

/** Names that one list of a rule may hold. */
const LIST_ENTRIES = 1000
const RATE_REQUESTS = 1_000_000
const RATE_UNITS: Readonly<Record<string, number>> = { s: 1000, min: 60_000 }
/** A day, or an instant with its zone: a time without one would mean another instant on another machine. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

type List = 'all' | readonly string[]

/** A key's rules as people write them. What is left out is not meant to change, or to be without a limit. */
export interface KeyRulesInput {
  /** `full`, or verbs with commas between. */
  readonly permission?: string | undefined
  /** Slugs; of apps that are yet to be made, too. */
  readonly apps?: List | undefined
  readonly collections?: List | undefined
  /** Networks in CIDR form, or addresses. */
  readonly addresses?: List | undefined
  readonly websites?: List | undefined
  readonly localhost?: boolean | undefined
  /** `100/min`, `5/s` or `none`. */
  readonly rate?: string | undefined
  /** From now on (`30d`, `12h`, `90m`, `2s`), a day or an instant in ISO 8601, or `never`. */
  readonly expires?: string | undefined
  /** A duration, such as `10d`. */
  readonly tokenLifetime?: string | undefined
}

/**
 * Checks the rules that are given, and answers each in its one form.
 * @throws AppError `invalid_rule`, its message saying how to mend the rule
 */
export function parseKeyRules(input: KeyRulesInput, { now }: { now: number }): Partial<KeyRules> {
  const { permission, apps, collections, addresses, websites, localhost, rate, expires, tokenLifetime } =
    input
  return {
    ...(permission !== undefined && { verbs: parsePermission(permission) }),
    ...(apps !== undefined && { apps: parseList('app', apps, parseApp) }),
    ...(collections !== undefined && { collections: parseList('collection', collections, parseCollection) }),
    ...(addresses !== undefined && { addresses: parseList('address', addresses, networkInput) }),
    ...(websites !== undefined && { websites: parseList('website', websites, websiteInput) }),
    ...(localhost !== undefined && { localhost }),
    ...(rate !== undefined && { rate: parseRate(rate) }),
    ...(expires !== undefined && { expiresAt: parseExpiry(expires, now) }),
    ...(tokenLifetime !== undefined && {
      tokenLifetimeMs: parseDuration(tokenLifetime, { what: "a token's lifetime", least: 1 }),
    }),
  }
}

/** Every entry in its form, each once. */
function parseList(what: string, list: List, parse: (text: string) => string): List {
  if (list === 'all') return list
  if (list.length === 0) throw new AppError('invalid_rule', `name at least one ${what}, or lift the rule`)
  const entries = [...new Set(list.map(parse))]
  if (entries.length > LIST_ENTRIES)
    throw new AppError('invalid_rule', `a rule may name at most ${LIST_ENTRIES} of a kind; make another key`)
  return entries
}

function parseApp(text: string): string {
  if (isAppSlug(text)) return text
  if (text.includes(',')) throw invalid(text, "an app's slug: give each app an option of its own")
  throw invalid(text, "an app's slug: use 1 to 63 of a-z, 0-9 and -, neither first nor last a -")
}

function parseCollection(text: string): string {
  try {
    return collectionName(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('invalid_rule', `${JSON.stringify(text)}: ${error.message}`, { cause: error })
  }
}

function parsePermission(text: string): readonly Verb[] {
  const words = text.split(',').map((word) => word.trim())
  if (words.length === 1 && words[0] === 'full') return VERBS
  const unknown = words.find((word) => !VERBS.some((verb) => verb === word))
  if (unknown === undefined) return VERBS.filter((verb) => words.includes(verb))
  if (unknown === 'full') throw invalid(text, 'a permission: full is all of them, and stands alone')
  throw invalid(unknown, `a permission: write full, or some of ${VERBS.join(',')} with commas between`)
}

function parseRate(text: string): Rate | null {
  if (text === 'none') return null
  const [, count, unit] = /^(\d{1,9})\/(s|min)$/.exec(text) ?? []
  const requests = Number(count)
  if (unit !== undefined && requests >= 1 && requests <= RATE_REQUESTS)
    return { requests, perMs: RATE_UNITS[unit]! }
  throw invalid(
    text,
    `a rate: write 1 to ${RATE_REQUESTS} requests a minute or a second (100/min, 5/s), or none`,
  )
}

function parseExpiry(text: string, now: number): number | null {
  if (text === 'never') return null
  if (/^\d+[dhms]$/.test(text)) return now + parseDuration(text, { what: 'a time to expire', least: 1 })
  const day = ISO_TIME.exec(text)?.[1]
  const time = Date.parse(text)
  // Date.parse takes the 30th of February for the 2nd of March.
  if (day === undefined || Number.isNaN(time) || !new Date(day).toISOString().startsWith(day))
    throw invalid(
      text,
      'a time to expire: write how long from now (30d, 12h, 90m, 2s), a day (2027-01-31), an instant with its ' +
        'zone (2027-01-31T12:00:00Z), or never',
    )
  if (time > now) return time
  throw invalid(text, `a time to expire: it is past; it is ${new Date(now).toISOString()} now`)
}

function invalid(text: string, problem: string): AppError {
  return new AppError('invalid_rule', `${JSON.stringify(text.slice(0, 100))} can't be ${problem}`)
}
