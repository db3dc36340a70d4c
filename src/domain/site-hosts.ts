import { createHash } from 'node:crypto'

/** What a label of a host name may have (RFC 1035, section 2.3.4). */
const LABEL = 63
/** That tell names apart which were cut to the same. */
const HASH_DIGITS = 8
const CUT_END = new RegExp(`-[0-9a-f]{${HASH_DIGITS}}$`)
/** A slug of fewer characters is cut for no version. */
export const CUT_FROM = 39
const PREVIEW = /^preview-(\d{1,15})-(.+)$/

/** Which host names are the sites' own, and which are the server's. */
export interface SiteNames {
  /** Below which the sites are. */
  readonly domain: string
  /** Hosts by which the API and the dashboard are reached, in the form of `hostName`. */
  readonly ownHosts: ReadonlySet<string>
}

/** What may be the preview of a version: which it is, and of what. */
export interface PreviewLabel {
  readonly version: number
  /** A slug, or the beginning of one with digits of its hash. */
  readonly rest: string
}

/** The name or address in a `Host` header: in lower case, without a port, and without the one dot that may end a name. */
export function hostName(header: string): string {
  return header.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** The host that serves the live version of an app. */
export function siteHost(slug: string, domain: string): string {
  return `${slug}.${domain}`
}

/**
 * The host that serves one version of an app. Where its label would be too long, the slug is cut and has 8 digits of its
 * SHA-256 behind it; as does one that would look like that, so that no slug can be made for the preview of another.
 */
export function previewHost(slug: string, version: number, domain: string): string {
  const prefix = `preview-${version}-`
  const room = LABEL - prefix.length
  if (slug.length < room || (slug.length === room && !CUT_END.test(slug))) return `${prefix}${slug}.${domain}`
  return `${prefix}${slug.slice(0, room - 1 - HASH_DIGITS)}-${cutDigitsOf(slug)}.${domain}`
}

/** What stands behind a slug that was cut. */
export function cutDigitsOf(slug: string): string {
  return createHash('sha256').update(slug).digest('hex').slice(0, HASH_DIGITS)
}

/** The same, of what may be a slug that was cut. */
export function cutDigits(rest: string): string | undefined {
  return CUT_END.test(rest) ? rest.slice(-HASH_DIGITS) : undefined
}

/** Reads the label of a preview; undefined for every other. */
export function previewLabel(label: string): PreviewLabel | undefined {
  const [, version, rest] = PREVIEW.exec(label) ?? []
  return version === undefined ? undefined : { version: Number(version), rest: rest! }
}

/** Why no site can be at the host that an app's slug makes, in words that go behind a colon; undefined where one can. */
export function reservedSlug(slug: string, { domain, ownHosts }: SiteNames): string | undefined {
  const host = siteHost(slug, domain)
  if (previewLabel(slug) !== undefined)
    return 'what begins with "preview-", a number and "-" is the address of a preview'
  if (slug.startsWith('xn--')) return 'what begins with "xn--" is a name in another script'
  if (slug === 'www') return `${host} is too easily taken for the address of all sites`
  if (ownHosts.has(host)) return `${host} is an address of the server itself`
  return undefined
}
