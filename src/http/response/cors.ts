import type { IncomingMessage } from 'node:http'

/**
 * Any page may call: what lets a request in is a credential that the page has to send itself, and no cookie is ever
 * looked at. Names and values in turn, as `writeHead` takes them.
 */
export const CORS_HEADERS: readonly string[] = Object.freeze([
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Allow, Content-Location, Content-Range, ETag, Link, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, ' +
    'X-Request-Id, X-Total-Count',
])

/** For how long a browser may remember a preflight's answer; browsers have lower bounds of their own. */
const MAX_AGE_SECONDS = 24 * 60 * 60

/** Headers that one preflight may ask for; requests may have 200. */
const ASKED_NAMES = 200
/** A header's name (RFC 9110, section 5.1), of a length that occurs. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/

/** A preflight carries no credentials (Fetch standard, CORS protocol), so it is answered before they are asked for. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/**
 * What a preflight's answer carries beside the headers of every answer. Whatever headers a page wants to send it may:
 * clients add their own, and nothing opens by any header but the one with the key.
 */
export function preflightHeaders({ headers }: IncomingMessage): readonly string[] {
  const names = askedNames(String(headers['access-control-request-headers'] ?? ''))
  return [
    'Access-Control-Allow-Methods',
    'GET, HEAD, POST, PUT, DELETE',
    ...(names.length === 0 ? [] : ['Access-Control-Allow-Headers', names.join(', ')]),
    'Access-Control-Max-Age',
    String(MAX_AGE_SECONDS),
    // For whoever keeps answers to OPTIONS on the way.
    'Vary',
    'Access-Control-Request-Headers',
  ]
}

function askedNames(asked: string): string[] {
  const names = asked.split(',', ASKED_NAMES).map((name) => name.trim())
  return names.filter((name) => NAME.test(name))
}
