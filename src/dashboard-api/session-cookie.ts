import { SESSION_TOTAL_MS } from '../domain/accounts.ts'

/**
 * The prefix has a browser take it from this host alone, with `Path=/` and `Secure` (RFC 6265bis, section 4.1.3.2), so
 * that no page on a sibling host can put another in its place.
 */
const NAME = '__Host-sheaf-session'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
/** What stands between cookies (RFC 6265bis, section 5.8.3), and a tab. */
const AROUND = /^[ \t]+|[ \t]+$/g

/**
 * The secret in a request's header `Cookie`, undefined where it has none. No other space is taken from a name: behind one
 * a browser doesn't see the prefix, and lets sibling hosts set the cookie.
 */
export function sessionSecret(cookies: string | undefined): string | undefined {
  for (const pair of cookies?.split(';') ?? []) {
    const [name, value] = pair.split('=', 2)
    if (name!.replace(AROUND, '') === NAME && value !== undefined) return value.replace(AROUND, '')
  }
  return undefined
}

/** A header that gives a browser a session's secret; names and values in turn. */
export function sessionCookie(secret: string): readonly string[] {
  return ['Set-Cookie', `${NAME}=${secret}; Max-Age=${SESSION_TOTAL_MS / 1000}; ${ATTRIBUTES}`]
}

/** A header that takes it away again. */
export const NO_SESSION_COOKIE: readonly string[] = ['Set-Cookie', `${NAME}=; Max-Age=0; ${ATTRIBUTES}`]
