import { AppError } from '../errors.ts'
import { durationText, parseDuration } from './duration.ts'
import { type KeyRules, PERMISSIONS, type Permission, permissionText, type Rate, RULES } from './key-rules.ts'
import { collectionName, isAppSlug } from './names.ts'
import { networkInput } from './network-input.ts'
import { websiteInput } from './website-input.ts'

/** Names that one list of a rule may hold. */
const LIST_ENTRIES = 1000
const RATE_REQUESTS = 1_000_000
const RATE_UNITS: Readonly<Record<string, number>> = { s: 1000, min: 60_000 }
/** A day, or an instant with its zone: a time without one would mean another instant on another machine. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

type List = 'all' | readonly string[]

interface RuleForm<Value> {
  /** Its name among a key's rules as people and programs write and read them. */
  readonly name: string
  /** @throws AppError `invalid_rule`, its message saying how to mend the rule */
  readonly parse: (written: never, now: number) => Value
  /** What `parse` takes. */
  readonly describe: (value: Value) => unknown
}

/** How each rule is written and shown; one that is missing does not compile. */
export const RULE_FORMS = {
  /** `full`, or some permissions with commas between. */
  permission: { name: 'permission', parse: parsePermission, describe: permissionText },
  /** Slugs; of apps that are yet to be made, too. */
  apps: listForm('apps', 'app', parseApp),
  collections: listForm('collections', 'collection', parseCollection),
  /** Networks in CIDR form, or addresses. */
  addresses: listForm('addresses', 'address', networkInput),
  websites: listForm('websites', 'website', websiteInput),
  localhost: { name: 'localhost', parse: (written: boolean) => written, describe: (value: boolean) => value },
  /** `100/min`, `5/s` or `none`. */
  rate: { name: 'rate', parse: parseRate, describe: rateText },
  /** From now on (`30d`, `12h`, `90m`, `2s`), a day or an instant in ISO 8601, or `never`. */
  expiresAt: { name: 'expires', parse: parseExpiry, describe: expiryText },
  /** A duration, such as `10d`. */
  tokenLifetimeMs: { name: 'tokenLifetime', parse: parseLifetime, describe: durationText },
} as const satisfies { readonly [Rule in keyof KeyRules]: RuleForm<KeyRules[Rule]> }

type Forms = typeof RULE_FORMS

/** A key's rules for people and programs. */
export type RulesDescription = {
  readonly [Rule in keyof Forms as Forms[Rule]['name']]: ReturnType<Forms[Rule]['describe']>
}

/** A key's rules as people write them. What is left out is not meant to change, or to be without a limit. */
export type KeyRulesInput = {
  readonly [Name in keyof RulesDescription]?: RulesDescription[Name] | undefined
}

/**
 * Checks the rules that are given, and answers each in its one form.
 * @throws AppError `invalid_rule`, its message saying how to mend the rule
 */
export function parseKeyRules(input: KeyRulesInput, { now }: { now: number }): Partial<KeyRules> {
  const given = RULES.filter((rule) => input[RULE_FORMS[rule].name] !== undefined)
  return Object.fromEntries(
    given.map((rule) => {
      const { name, parse } = RULE_FORMS[rule]
      return [rule, parse(input[name] as never, now)]
    }),
  )
}

function listForm<Name extends string>(name: Name, what: string, parse: (text: string) => string) {
  return {
    name,
    parse: (written: List): List => parseList(what, written, parse),
    describe: (value: List): List => value,
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

function parsePermission(text: string): readonly Permission[] {
  const words = text.split(',').map((word) => word.trim())
  if (words.length === 1 && words[0] === 'full') return PERMISSIONS
  const unknown = words.find((word) => !PERMISSIONS.some((each) => each === word))
  if (unknown === undefined) return PERMISSIONS.filter((each) => words.includes(each))
  if (unknown === 'full') throw invalid(text, 'a permission: full is all of them, and stands alone')
  throw invalid(unknown, `a permission: write full, or some of ${PERMISSIONS.join(',')} with commas between`)
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

function rateText(rate: Rate | null): string {
  return rate === null ? 'none' : `${rate.requests}/${rate.perMs === 1000 ? 's' : 'min'}`
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

function expiryText(expiresAt: number | null): string {
  return expiresAt === null ? 'never' : new Date(expiresAt).toISOString()
}

function parseLifetime(text: string): number {
  return parseDuration(text, { what: "a token's lifetime", least: 1 })
}

function invalid(text: string, problem: string): AppError {
  return new AppError('invalid_rule', `${JSON.stringify(text.slice(0, 100))} can't be ${problem}`)
}
