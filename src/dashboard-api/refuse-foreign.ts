import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../errors.ts'

/**
 * Lets in what a page of this very origin asks for, and what somebody typed where it changes nothing (Fetch Metadata,
 * section 2.3). `SameSite=Strict` is not enough: a page on a sibling host has the cookie sent with what it asks for.
 * A browser that doesn't say where a request comes from names the origin of writes.
 * @param origin that the dashboard is known to be at, where a proxy has another host asked for
 * @throws AppError `origin_not_allowed`
 */
export function refuseForeign(
  headers: IncomingHttpHeaders,
  { isWrite, origin: known }: { readonly isWrite: boolean; readonly origin?: string | undefined },
): void {
  const { 'sec-fetch-site': site, origin, host } = headers
  const isOwn =
    site === undefined
      ? !isWrite || isOrigin(origin, host) || (known !== undefined && origin === known)
      : site === 'same-origin' || (site === 'none' && !isWrite)
  if (isOwn) return
  throw new AppError(
    'origin_not_allowed',
    'only pages of this server may ask for this with a session; a program sends a token of an account in the header ' +
      'Authorization: Bearer <token>',
  )
}

function isOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined) return false
  try {
    return new URL(`https://${host}`).origin === origin
  } catch {
    return false
  }
}
