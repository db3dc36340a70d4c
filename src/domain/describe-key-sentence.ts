import type { AppSettings } from './app-settings.ts'
import { durationParts } from './duration.ts'
import { isoTime } from './iso-time.ts'
import { type KeyRules, PERMISSIONS, type Rate } from './key-rules.ts'

/** What stands in a sentence as it is; anything else in quotes, so that no name passes for words of the sentence. */
const PLAIN_NAME = /^[\w.:/*[\]-]+$/u
/** Characters that are obeyed instead of shown, such as those that change the direction of all the rest. */
const OBEYED = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

export interface SentenceOptions {
  /** How many names of a list are shown, where it is not to grow with the list. */
  readonly names?: number
  /** Whether it is the pages of a site that it is good to. */
  readonly isSiteKey?: boolean
}

/**
 * Sums up in one sentence what a key may do: every rule, and all that it names, in words of which nobody has to know the
 * rules' own.
 */
export function describeKeySentence(
  rules: KeyRules,
  { names: most = Number.POSITIVE_INFINITY, isSiteKey = false }: SentenceOptions = {},
): string {
  const parts: Readonly<Record<keyof KeyRules, string | undefined>> = {
    permission: `May ${permissionWords(rules)} documents`,
    collections: `in ${listed(rules.collections, { one: 'the collection', many: 'the collections', all: 'every collection', most })}`,
    apps: `of ${listed(rules.apps, { one: 'the app', many: 'the apps', all: 'every app of its owner', most })}`,
    addresses: `from ${listed(rules.addresses, { one: 'the address', many: 'the addresses', all: 'any address', most })},`,
    websites: isSiteKey ? 'only on pages of its site,' : websiteWords(rules, most),
    // Told with the websites, without which it limits nothing.
    localhost: undefined,
    rate: `${rateWords(rules.rate)},`,
    expiresAt: rules.expiresAt === null ? 'without an end;' : `until ${isoTime(rules.expiresAt)};`,
    tokenLifetimeMs: `its tokens live for ${durationWords(rules.tokenLifetimeMs)}.`,
  }
  return Object.values(parts)
    .filter((part) => part !== undefined)
    .join(' ')
}

/**
 * The same of what an app has for all of its keys, beside the rules of each; undefined where that is nothing. What new keys
 * begin with is told by their own sentences.
 */
export function describeAppSentence({
  addresses,
  websites,
  localhost,
  rate,
  documentBytes,
}: AppSettings): string | undefined {
  const most = Number.POSITIVE_INFINITY
  const parts = [
    addresses !== 'all' &&
      `work only from ${listed(addresses, { one: 'the address', many: 'the addresses', all: '', most })}`,
    websites !== 'all' && `work ${pageWords({ websites, localhost }, most)}`,
    rate !== null && `are used ${rateWords(rate)} together`,
    documentBytes !== null && `write documents of at most ${documentBytes} bytes`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : `All keys of this app ${joined(parts)}.`
}

/** The same of a key whose rules can't be read. @param damage in words */
export function describeDamagedKey(damage: string): string {
  return `Lets nobody in, for ${damage}.`
}

function permissionWords({ permission }: KeyRules): string {
  return joined(PERMISSIONS.filter((each) => permission.includes(each)))
}

function websiteWords(rules: KeyRules, most: number): string {
  return rules.websites === 'all' ? 'on any website or none,' : `${pageWords(rules, most)},`
}

function pageWords({ websites, localhost }: Pick<KeyRules, 'websites' | 'localhost'>, most: number): string {
  const pages = listed(websites, { one: 'the website', many: 'the websites', all: '', most })
  return `only on pages of ${pages}${localhost ? ' or of localhost' : ', not of localhost'}`
}

function rateWords(rate: Rate | null): string {
  if (rate === null) return 'as often as it likes'
  const { requests, perMs } = rate
  return `at most ${requests} ${requests === 1 ? 'time' : 'times'} a ${perMs === 1000 ? 'second' : 'minute'}`
}

const UNITS = { d: 'day', h: 'hour', m: 'minute', s: 'second' } as const

function durationWords(ms: number): string {
  const { count, unit } = durationParts(ms)
  return `${count} ${UNITS[unit]}${count === 1 ? '' : 's'}`
}

function listed(
  names: 'all' | readonly string[],
  words: { readonly one: string; readonly many: string; readonly all: string; readonly most: number },
): string {
  if (names === 'all') return words.all
  const shown = names.slice(0, words.most).map(quoted)
  const others = names.length - shown.length
  return `${names.length === 1 ? words.one : words.many} ${joined(others > 0 ? [...shown, `${others} more`] : shown)}`
}

function quoted(name: string): string {
  if (PLAIN_NAME.test(name)) return name
  return JSON.stringify(name).replace(
    OBEYED,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function joined(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
