import { AppError } from '../errors.ts'
import { isSettableHeader } from './settable-header.ts'

const REDIRECT_STATUSES = [301, 302, 303, 307, 308] as const
type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

export interface SiteRedirect {
  /** A path, or with a `*` at its end all that begin with what stands before it. */
  readonly from: string
  /** A path or an address; a `*` at its end is what that of `from` stood for. */
  readonly to: string
  readonly status: RedirectStatus
}

export interface SiteHeaders {
  /** A path, or with a `*` at its end all that begin with what stands before it. */
  readonly for: string
  /** By their names in lower case. */
  readonly set: Readonly<Record<string, string>>
}

/** What a version's `sheaf.json` says of how it is served; itself good JSON. */
export interface SiteSettings {
  /** The file for addresses of a page that routes by itself; null for none. */
  readonly fallback: string | null
  /** The file that is sent with 404. */
  readonly notFound: string
  /** Whether `about.html` is at `/about`. */
  readonly cleanAddresses: boolean
  /** Paths whose files never change under their names, as those of `SiteHeaders.for`. */
  readonly immutable: readonly string[]
  /** The first that fits counts. */
  readonly redirects: readonly SiteRedirect[]
  /** All that fit count, and of one header the last. */
  readonly headers: readonly SiteHeaders[]
}

export const NO_SITE_SETTINGS: SiteSettings = Object.freeze({
  fallback: null,
  notFound: '/404.html',
  cleanAddresses: true,
  immutable: [],
  redirects: [],
  headers: [],
})

const TEXT_LENGTH = 64 * 1024
const REDIRECTS = 1000
const HEADER_RULES = 200
const IMMUTABLE_PATTERNS = 200
const PATH_LENGTH = 1024
const TARGET_LENGTH = 2048

/** A path that names no other host, and no way round through folders; a `*` at its end alone. */
const PATH = /^\/(?![/\\])[^\p{Cc}\\?#*]*$/u
const PATTERN = /^\/(?![/\\])[^\p{Cc}\\?#*]*\*?$/u
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Visible ASCII, with blanks inside (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the text of a `sheaf.json`. What is unknown is refused, for it could be a setting that was misspelt.
 * @throws AppError `invalid_deploy`, with where the fault is and what mends it
 */
export function readSiteSettings(text: string): SiteSettings {
  if (text.length > TEXT_LENGTH) throw invalid(`has more than ${TEXT_LENGTH} characters; shorten it`)
  const fields = fieldsOf(parse(text), '', Object.keys(NO_SITE_SETTINGS))
  const {
    fallback = null,
    notFound = NO_SITE_SETTINGS.notFound,
    cleanAddresses = NO_SITE_SETTINGS.cleanAddresses,
  } = fields
  if (typeof cleanAddresses !== 'boolean') throw invalid('cleanAddresses takes true or false')
  return {
    fallback: fallback === null ? null : fileFrom(fallback, 'fallback'),
    notFound: fileFrom(notFound, 'notFound'),
    cleanAddresses,
    immutable: list(fields, 'immutable', IMMUTABLE_PATTERNS).map((one, at) =>
      patternFrom(one, `immutable[${at}]`),
    ),
    redirects: list(fields, 'redirects', REDIRECTS).map((one, at) => redirectFrom(one, `redirects[${at}]`)),
    headers: list(fields, 'headers', HEADER_RULES).map((one, at) => headersFrom(one, `headers[${at}]`)),
  }
}

/**
 * Refuses settings that name a file which is not deployed with them; the page for what is not there may be missing where
 * it is the one by default.
 * @throws AppError `invalid_deploy`
 */
export function requireNamedFiles(
  { fallback, notFound }: SiteSettings,
  isThere: (path: string) => boolean,
): void {
  const named = { fallback, notFound: notFound === NO_SITE_SETTINGS.notFound ? null : notFound }
  for (const [setting, path] of Object.entries(named))
    if (path !== null && !isThere(path.slice(1)))
      throw invalid(
        `${setting} names ${JSON.stringify(path)}, which is not among the files; add it, or name another`,
      )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw invalid(`is no JSON: ${(error as Error).message}`)
  }
}

function fieldsOf(value: unknown, place: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${place || 'its text'} must be an object with some of ${known.join(', ')}`)
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown === undefined) return value as Fields
  const name = JSON.stringify(unknown.slice(0, 100))
  throw invalid(`${name}${place && ` in ${place}`} is no setting; there are ${known.join(', ')}`)
}

function list(fields: Fields, name: string, most: number): readonly unknown[] {
  const { [name]: value = [] } = fields
  if (!Array.isArray(value)) throw invalid(`${name} takes a list`)
  if (value.length > most) throw invalid(`${name} may have at most ${most} elements`)
  return value
}

function fileFrom(value: unknown, place: string): string {
  if (isPath(value) && PATH.test(value) && !value.endsWith('/')) return value
  throw invalid(`${place} takes the path of a file of the site, such as "/index.html"`)
}

function patternFrom(value: unknown, place: string): string {
  if (isPath(value) && PATTERN.test(value)) return value
  throw invalid(
    `${place} takes a path that begins with one /, such as "/a.html", or "/assets/*" for all below; a * stands at the end`,
  )
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value.length <= PATH_LENGTH && value.isWellFormed()
}

function redirectFrom(value: unknown, place: string): SiteRedirect {
  const fields = fieldsOf(value, place, ['from', 'to', 'status'])
  const from = patternFrom(fields.from, `${place}.from`)
  const to = targetFrom(fields.to, `${place}.to`)
  if (to.endsWith('*') && !from.endsWith('*')) throw invalid(`${place}.to has a * that ${place}.from lacks`)
  if (from === to) throw invalid(`${place} leads to where it comes from`)
  const { status = 301 } = fields
  if (REDIRECT_STATUSES.includes(status as RedirectStatus))
    return { from, to, status: status as RedirectStatus }
  throw invalid(`${place}.status takes one of ${REDIRECT_STATUSES.join(', ')}`)
}

/** As browsers understand it: a path that begins with two slashes, or a slash and a backslash, names another host. */
function targetFrom(value: unknown, place: string): string {
  const text = typeof value === 'string' && value.length <= TARGET_LENGTH ? value : ''
  const isOfSite = text.startsWith('/')
  const url = URL.parse(text, isOfSite ? 'https://site.invalid' : undefined)
  if (url !== null && isWebAddress(url) && (!isOfSite || url.host === 'site.invalid')) {
    const target = isOfSite ? `${url.pathname}${url.search}${url.hash}` : url.href
    const stars = target.split('*').length - 1
    if (!target.startsWith('//') && (stars === 0 || (stars === 1 && target.endsWith('/*')))) return target
  }
  throw invalid(
    `${place} takes a path such as "/new/" or an address such as "https://example.org/"; a * may stand behind a / at its end`,
  )
}

function isWebAddress({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

function headersFrom(value: unknown, place: string): SiteHeaders {
  const fields = fieldsOf(value, place, ['for', 'set'])
  const { set } = fields
  if (typeof set !== 'object' || set === null || Array.isArray(set))
    throw invalid(`${place}.set takes an object, such as {"X-Frame-Options":"DENY"}`)
  return { for: patternFrom(fields.for, `${place}.for`), set: headerValues(set, `${place}.set`) }
}

function headerValues(set: object, place: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  for (const [written, value] of Object.entries(set)) {
    const name = written.toLowerCase()
    const quoted = JSON.stringify(written.slice(0, 100))
    if (!HEADER_NAME.test(name)) throw invalid(`${quoted} in ${place} is no name of a header`)
    if (!isSettableHeader(name)) throw invalid(`${quoted} in ${place} can't be set by a site; take it out`)
    if (values.has(name)) throw invalid(`${quoted} stands in ${place} twice`)
    if (typeof value !== 'string' || value.length > TARGET_LENGTH || !HEADER_VALUE.test(value))
      throw invalid(`${quoted} in ${place} takes a text of ASCII characters, at most ${TARGET_LENGTH}`)
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

function invalid(problem: string): AppError {
  return new AppError('invalid_deploy', `sheaf.json: ${problem}`)
}
