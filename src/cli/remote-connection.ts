import { readFileSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { getCACertificates } from 'node:tls'
import { AppError } from '../errors.ts'
import { ServerConnection } from './server-connection.ts'

export interface RemoteServer {
  /** Such as `https://db.example.org`. */
  readonly url: string
  /** An account's. */
  readonly token: string
  /** A file with certificates that are trusted beside those of the system. */
  readonly cacert?: string | undefined
}

/** What can stand in a header, and in no other one behind it. */
const TOKEN = /^[\x21-\x7e]{1,1024}$/
const NOT_TRUSTED =
  /^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/
const NO_TLS: ReadonlySet<unknown> = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])
const NOT_THERE: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL'],
])

/**
 * HTTPS with a server somewhere, by an account's token, which goes to that server and to no other.
 * @throws AppError `invalid_configuration`, `input_failed`
 */
export function remoteConnection({ url, token, cacert }: RemoteServer): ServerConnection {
  const { hostname, port } = serverOf(url)
  if (!TOKEN.test(token))
    throw new AppError('invalid_configuration', 'the token is none: it has a character that no token has')
  const ca = [...getCACertificates('default'), ...getCACertificates('system'), ...certificatesIn(cacert)]
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port }
  return new ServerConnection({
    agent: new Agent({ keepAlive: true, maxSockets: 1, ca }),
    headers: { Authorization: `Bearer ${token}` },
    begin: (request) => httpsRequest({ ...request, ...where }),
    problemOf: (error) => problemOf(error, url),
  })
}

/** @throws AppError `invalid_configuration` */
function serverOf(text: string): URL {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:')
    throw new AppError(
      'invalid_configuration',
      `${JSON.stringify(text)} is no server (--server): write https://db.example.org, with a port where it has one`,
    )
  if (
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.pathname !== '/'
  )
    throw new AppError(
      'invalid_configuration',
      `the server (--server) is ${url.origin}; leave out what stands before and behind that`,
    )
  return url
}

/** @throws AppError `input_failed` */
function certificatesIn(path: string | undefined): string[] {
  if (path === undefined) return []
  try {
    return [readFileSync(path, 'utf8')]
  } catch (error) {
    throw new AppError('input_failed', `${path} can't be read: ${(error as Error).message}`, { cause: error })
  }
}

function problemOf(error: unknown, url: string): AppError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  const unreachable = (problem: string): AppError =>
    new AppError('server_unreachable', `${url} ${problem}`, { cause: error })
  if (NOT_TRUSTED.test(code))
    return unreachable(
      `has a certificate that is not trusted (${message}); name its authority's by --cacert FILE`,
    )
  if (NO_TLS.has(code)) return unreachable(`does not speak HTTPS (${code})`)
  if (NOT_THERE.has(code)) return unreachable(`can't be reached (${code}); is it the right address?`)
  return undefined
}
