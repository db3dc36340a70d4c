import type { IncomingMessage } from 'node:http'
import { AppError } from '../../errors.ts'

/** Names and values that one request may have. */
const HEADERS = 200

interface OnceHeader {
  readonly name: string
  /** Of its own, to note that it was seen. */
  readonly bit: number
}

/**
 * Headers that mean something only once. Of some Node takes the first and of others a list, and whoever stands before
 * this server may take the last.
 */
const ONCE: readonly OnceHeader[] = [
  'host',
  'origin',
  'referer',
  'content-type',
  'authorization',
  'content-encoding',
].map((name, i) => ({ name, bit: 1 << i }))

/** Those of each length: by it alone most headers are told from all of them, which spares the change of their case. */
const BY_LENGTH: readonly (readonly OnceHeader[] | undefined)[] = Array.from(
  { length: 1 + Math.max(...ONCE.map(({ name }) => name.length)) },
  (_, length) => {
    const alike = ONCE.filter(({ name }) => name.length === length)
    return alike.length > 0 ? alike : undefined
  },
)

/** What is said of every other version of HTTP. */
export const VERSIONS_SPOKEN =
  'only HTTP/1.1 and HTTP/1.0 are spoken here; have the client send HTTP/1.1 (curl does so with --http1.1)'

/** A name or an address, and a port (RFC 3986, section 3.2, without user information). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/

/**
 * What is wrong with a request that Node's parser let through, although others on the way may read it differently
 * (RFC 9112, sections 2.3, 3.2, 6.1 and 11.2). Its connection has to end, for where the next request begins is unsure.
 */
export function headerFault(request: IncomingMessage): AppError | undefined {
  const { httpVersion, rawHeaders, url } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return fault(VERSIONS_SPOKEN)
  if (rawHeaders.length > 2 * HEADERS) return fault(`a request may have at most ${HEADERS} headers`)
  const { headers } = request
  const repeated = repeatedHeader(rawHeaders)
  if (repeated !== undefined) return fault(`the header ${repeated} may stand in a request only once`)
  if (headers.host !== undefined && !HOST.test(headers.host))
    return fault('the header Host is neither a name nor an address')
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return fault('HTTP/1.0 knows no Transfer-Encoding; send Content-Length')
    if (coding.toLowerCase() !== 'chunked') return fault('the only Transfer-Encoding here is chunked')
  }
  if (url!.includes('#')) return fault('a URL is sent without its fragment; a # in a name is written as %23')
  return undefined
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]!
    const alike = BY_LENGTH[header.length]
    if (alike === undefined) continue
    const lowered = header.toLowerCase()
    const once = alike.find(({ name }) => name === lowered)
    if (once === undefined) continue
    const { name, bit } = once
    if ((seen & bit) !== 0) return name
    seen |= bit
  }
  return undefined
}

function fault(message: string): AppError {
  return new AppError('invalid_request', message)
}
