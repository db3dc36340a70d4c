import { SESSION_TOTAL_MS } from '../domain/accounts.ts'

/**
 * The prefix has a browser take it from this host alone, with `Path=/` and `Secure` (RFC 6265bis, section 4.1.3.2), so
 * that no page on a sibling host can put another in its place.
 */
const NAME = '__Host-sheaf-session'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
/** What stands between cookies (RFC 6265bis, section 5.8.3), and a tab. */
const AROUND = /^[ \t]+|[ \t]+$/g

/** What a browser keeps while it is at an OpenID provider. It comes back from there by a link, which `Lax` lets through. */
const PENDING_NAME = '__Host-sheaf-oidc'
const PENDING_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const PENDING_SECONDS = 600

/** The secret of a session in a request's header `Cookie`, undefined where it has none. */
export function sessionSecret(cookies: string | undefined): string | undefined {
  return cookieValue(cookies, NAME)
}

/** What the browser kept of a sign-in that was begun, in the same header. */
export function pendingSignIn(cookies: string | undefined): string | undefined {
  return cookieValue(cookies, PENDING_NAME)
}

/**
 * The value of a cookie. No other space is taken from a name: behind one a browser doesn't see the prefix, and lets
 * sibling hosts set the cookie.
 */
function cookieValue(cookies: string | undefined, cookie: string): string | undefined {
  for (const pair of cookies?.split(';') ?? []) {
    const [name, value] = pair.split('=', 2)
    if (name!.replace(AROUND, '') === cookie && value !== undefined) return value.replace(AROUND, '')
  }
  return undefined
}

/** A header that gives a browser a session's secret; names and values in turn. */
export function sessionCookie(secret: string): readonly string[] {
  return ['Set-Cookie', `${NAME}=${secret}; Max-Age=${SESSION_TOTAL_MS / 1000}; ${ATTRIBUTES}`]
}

/** A header that takes it away again. */
export const NO_SESSION_COOKIE: readonly string[] = ['Set-Cookie', `${NAME}=; Max-Age=0; ${ATTRIBUTES}`]

/** The same for a sign-in that was begun. */
export function pendingCookie(pending: string): readonly string[] {
  return ['Set-Cookie', `${PENDING_NAME}=${pending}; Max-Age=${PENDING_SECONDS}; ${PENDING_ATTRIBUTES}`]
}

export const NO_PENDING_COOKIE: readonly string[] = [
  'Set-Cookie',
  `${PENDING_NAME}=; Max-Age=0; ${PENDING_ATTRIBUTES}`,
]
