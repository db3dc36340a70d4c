import { AppError } from '../errors.ts'
import { parseWebsite, type WebsitePattern } from './website.ts'

const CHARACTERS = 300
const EXAMPLES = 'write example.com, *.example.com, https://example.com or http://localhost:3000'

/**
 * Reads a pattern of web origins and answers its one form: in lower case, punycode for other scripts, no port that
 * goes without saying.
 * @throws AppError `invalid_rule`
 */
export function websiteInput(text: string): string {
  const pattern = text.length > CHARACTERS || isNull(text) ? undefined : parseWebsite(text)
  if (pattern !== undefined) return websiteText(pattern)
  const shown = JSON.stringify(text.length > CHARACTERS ? `${text.slice(0, CHARACTERS)}…` : text)
  throw new AppError('invalid_rule', `${shown} can't be a website: ${websiteProblem(text)}`)
}

function websiteText({ scheme, port, labels, below }: WebsitePattern): string {
  const isDefault = (scheme === 'https' && port === 443) || (scheme === 'http' && port === 80)
  const start = scheme === undefined ? '' : `${scheme}://`
  const end = port === undefined || isDefault ? '' : `:${port}`
  return `${start}${below ? '*.' : ''}${labels.join('.')}${end}`
}

/** What sandboxed pages and files send as their origin; it could be anybody's. */
function isNull(text: string): boolean {
  return /^null$/i.test(text)
}

function websiteProblem(text: string): string {
  if (text === '') return `it is empty; ${EXAMPLES}`
  if (text.length > CHARACTERS) return 'it is too long for a host'
  if (isNull(text)) return 'the origin null is that of many pages and never let in'
  if (/[\s,\p{Cc}]/u.test(text))
    return 'it may not contain spaces or commas; give each website an option of its own'
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return 'only http:// and https:// are web origins'
  const rest = text.replace(/^https?:\/\//i, '')
  if (rest.includes('@')) return 'it may not contain a user or a password'
  if (/[/?#\\]/.test(rest)) {
    const origin = text.slice(0, text.length - rest.length + rest.search(/[/?#\\]/))
    const known = parseWebsite(origin)
    return `an origin has no path${known === undefined ? '' : `; write ${websiteText(known)}`}`
  }
  if (rest === '*') return 'it would be every website; leave the rule out, or lift it'
  if (/^\*\.(\d+\.\d+\.\d+\.\d+|\[.*\])(:\d+)?$/.test(rest)) return 'an address has no names below it'
  if (rest.replace(/^\*\./, '').includes('*'))
    return 'a * may stand for the first labels alone, as in *.example.com'
  if (rest.split(':').length > 2 && !rest.includes(']'))
    return 'write an IPv6 address in brackets, as in [::1]'
  if (/:[^\]]*$/.test(rest)) return 'a port is a number from 1 to 65535'
  return `it is no host's name; ${EXAMPLES}`
}
