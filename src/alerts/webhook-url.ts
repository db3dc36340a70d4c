import { isIP } from 'node:net'
import { isPublicAddress } from '../domain/public-address.ts'
import { AppError } from '../errors.ts'

const MOST_LENGTH = 2_000

/** The host of a URL, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/**
 * Where alerts may be told. Whether a name leads to a public address is looked at with each message.
 * @param hosts that may be reached by http, and at any address
 * @throws AppError `invalid_request`
 */
export function webhookUrl(text: string, hosts: readonly string[]): URL {
  const url = text.length > MOST_LENGTH ? null : URL.parse(text)
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw invalid(
      'a webhook is an address such as https://hooks.example.org/sheaf, of 2,000 characters at most',
    )
  if (url.username !== '' || url.password !== '')
    throw invalid(
      "a webhook's address has no user or password in it; messages are signed, see Webhook-Signature",
    )
  const host = hostOf(url)
  if (hosts.includes(host)) return url
  if (url.protocol === 'http:')
    throw invalid(
      `a webhook takes https://, but for hosts that the server was started with (--webhook-host ${host})`,
    )
  if (isIP(host) !== 0 && !isPublicAddress(host))
    throw invalid(
      `${host} is no public address; a host inside is named when the server is started (--webhook-host ${host})`,
    )
  return url
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message)
}
