import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'

/** Names and values that one request may have. */
const HEADERS = 200

/**
 * Headers that mean something only once, each with a bit of its own. Of some Node takes the first and of others a list,
 * and whoever stands before this server may take the last.
 */
const ONCE: ReadonlyMap<string, number> = new Map(
  ['host', 'origin', 'referer', 'content-type', 'authorization', 'content-encoding'].map((name, i) => [
    name,
    1 << i,
  ]),
)
/** Most headers are told from those by their length alone, which costs less than to lower their case. */
const LENGTHS: ReadonlySet<number> = new Set([...ONCE.keys()].map(({ length }) => length))

/** A name or an address, and a port (RFC 3986, section 3.2, without user information). */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/

/**
 * What is wrong with a request that Node's parser let through, although others on the way may read it differently
 * (RFC 9112, sections 2.3, 3.2, 6.1 and 11.2). Its connection has to end, for where the next request begins is unsure.
 */
export function headerFault(request: IncomingMessage): AppError | undefined {
  const { httpVersion, rawHeaders, url } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return fault('only HTTP/1.1 and HTTP/1.0 are spoken')
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
    if (!LENGTHS.has(rawHeaders[i]!.length)) continue
    const name = rawHeaders[i]!.toLowerCase()
    const bit = ONCE.get(name)
    if (bit === undefined) continue
    if ((seen & bit) !== 0) return name
    seen |= bit
  }
  return undefined
}

function fault(message: string): AppError {
  return new AppError('invalid_request', message)
}
