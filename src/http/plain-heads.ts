import { type ServerResponse, STATUS_CODES } from 'node:http'
import { COMMON_HEADERS } from './reply.ts'
import type { RequestTrace } from './request-trace.ts'
import { HSTS_HEADERS } from './strict-transport.ts'

const SECOND_MS = 1000

interface PlainHead {
  readonly status: number
  /** Of the request: its id is harmless in a header, for that is not looked at again. */
  readonly trace: Pick<RequestTrace, 'id' | 'isStrict'>
  /** Of the body, in bytes. */
  readonly length: number
  readonly serverTiming?: string | undefined
}

/** The field in which Node's response has its head ready, for as long as it has not been sent. */
interface HeadHolder {
  _header: string
}

/**
 * Heads of answers that have no header of their own and leave the connection open, byte for byte as Node would write
 * them. Node checks and joins each header of each answer anew, which takes a tenth of the time of a whole request; what
 * changes here from one answer to the next is a request id that was checked when it came, and numbers.
 */
export class PlainHeads {
  private readonly now: () => number
  private readonly beforeId: ReadonlyMap<number, string>
  private readonly beforeIdStrict: ReadonlyMap<number, string>
  private readonly keepAlive: string
  private tail = ''
  private tailUntil = 0

  constructor({ keepAliveMs, now }: { keepAliveMs: number; now: () => number }) {
    this.now = now
    this.beforeId = headsBeforeId(COMMON_HEADERS)
    this.beforeIdStrict = headsBeforeId([...COMMON_HEADERS, ...HSTS_HEADERS])
    const seconds = Math.floor(keepAliveMs / SECOND_MS)
    this.keepAlive = linesOf(['Connection', 'keep-alive', 'Keep-Alive', `timeout=${seconds}`])
  }

  /** Gives a response its head. False where that has to be left to Node: the client's HTTP is older, for instance. */
  write(response: ServerResponse, { status, trace, length, serverTiming }: PlainHead): boolean {
    if (!response.shouldKeepAlive || response.req.httpVersion !== '1.1') return false
    response.statusCode = status
    const { id, isStrict } = trace
    const beforeId = isStrict ? this.beforeIdStrict : this.beforeId
    const timing = serverTiming === undefined ? '' : `Server-Timing: ${serverTiming}\r\n`
    ;(response as unknown as HeadHolder)._header =
      `${beforeId.get(status)}${id}\r\n${timing}Content-Type: application/json\r\nContent-Length: ${length}\r\n${this.end()}`
    // A Node that had its head elsewhere would not know of this one.
    return response.headersSent
  }

  /** The date, which lasts for a second, and what follows it. */
  private end(): string {
    const now = this.now()
    if (now < this.tailUntil && now >= this.tailUntil - SECOND_MS) return this.tail
    const second = now - (now % SECOND_MS)
    this.tail = `Date: ${new Date(second).toUTCString()}\r\n${this.keepAlive}\r\n`
    this.tailUntil = second + SECOND_MS
    return this.tail
  }
}

/** What heads begin with, by their status, up to the value of the request id. */
function headsBeforeId(headers: readonly string[]): ReadonlyMap<number, string> {
  const common = linesOf(headers)
  return new Map(
    Object.entries(STATUS_CODES).map(([status, text]) => [
      Number(status),
      `HTTP/1.1 ${status} ${text}\r\n${common}X-Request-Id: `,
    ]),
  )
}

/** Names and values in turn, as lines. */
function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`
  return lines
}
