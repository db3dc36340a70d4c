import { SESSION_TOTAL_MS } from '../domain/accounts.ts'

/**
 * The prefix has a browser take it from this host alone, with `Path=/` and `Secure` (RFC 6265bis, section 4.1.3.2), so
 * that no page on a sibling host can put another in its place.
 */
const NAME = '__Host-sheaf-session'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** The secret in a request's header `Cookie`, undefined where it has none. */
export function sessionSecret(cookies: string | undefined): string | undefined {
  for (const pair of cookies?.split(';') ?? []) {
    const [name, value] = pair.split('=', 2)
    if (name!.trim() === NAME && value !== undefined) return value.trim()
  }
  return undefined
}

/** A header that gives a browser a session's secret; names and values in turn. */
export function sessionCookie(secret: string): readonly string[] {
  return ['Set-Cookie', `${NAME}=${secret}; Max-Age=${SESSION_TOTAL_MS / 1000}; ${ATTRIBUTES}`]
}

/** A header that takes it away again. */
export const NO_SESSION_COOKIE: readonly string[] = ['Set-Cookie', `${NAME}=; Max-Age=0; ${ATTRIBUTES}`]
