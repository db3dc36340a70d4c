import type { IncomingMessage } from 'node:http'

/**
 * Any page may call: what lets a request in is a credential that the page has to send itself, and no cookie is ever
 * looked at. Names and values in turn, as `writeHead` takes them.
 */
export const CORS_HEADERS: readonly string[] = Object.freeze([
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Allow, Link, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id',
])

/** For how long a browser may remember a preflight's answer; browsers have lower bounds of their own. */
const MAX_AGE_SECONDS = 24 * 60 * 60

/** A preflight carries no credentials (Fetch standard, CORS protocol), so it is answered before they are asked for. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}

/** What a preflight's answer carries beside the headers of every answer. */
export function preflightHeaders(keyHeaders: readonly string[]): readonly string[] {
  const allowed = ['Content-Type', 'Authorization', ...keyHeaders, 'Prefer', 'X-Request-Id']
  return [
    'Access-Control-Allow-Methods',
    'GET, HEAD, POST, PUT, DELETE',
    'Access-Control-Allow-Headers',
    allowed.join(', '),
    'Access-Control-Max-Age',
    String(MAX_AGE_SECONDS),
  ]
}
