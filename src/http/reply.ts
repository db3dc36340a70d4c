import type { ServerResponse } from 'node:http'
import { CORS_HEADERS } from './cors.ts'
import type { PlainHeads } from './plain-heads.ts'
import { type RequestTrace, traceOf } from './request-trace.ts'
import { HSTS_HEADERS } from './strict-transport.ts'

/** An answer, before it is written to a socket. */
export interface Reply {
  readonly status: number
  /** JSON as a text or in UTF-8, or nothing. */
  readonly body: string | Uint8Array
  /** What comes after `body`, where that is not the whole answer yet. */
  readonly rest?: AsyncIterable<string>
  /** Names and values in turn, beside the headers of every answer. */
  readonly headers?: readonly string[]
  /** The value of that header; one that may stand in a header. */
  readonly serverTiming?: string
}

/** The headers of every answer, names and values in turn. */
export const COMMON_HEADERS: readonly string[] = Object.freeze([
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
])

const FIRST_HEADERS: readonly string[] = Object.freeze([...COMMON_HEADERS, 'X-Request-Id'])
const STRICT_HEADERS: readonly string[] = Object.freeze([...COMMON_HEADERS, ...HSTS_HEADERS, 'X-Request-Id'])

const NONE: readonly string[] = Object.freeze([])

/** What may wait on a connection for its client to read it, before the next answer is made. */
export const UNREAD_BYTES = 256 * 1024

export interface SendOptions {
  /** Whether the connection ends with this answer. */
  readonly close: boolean
  /** Writes the heads of plain answers. */
  readonly heads?: PlainHeads
}

/**
 * Writes an answer; resolves when all of it was handed over, and is done at once where nothing has to be waited for. A
 * long answer that can't go on ends its connection, so that the client never takes a part for the whole.
 */
export function sendReply(
  response: ServerResponse,
  reply: Reply,
  options: SendOptions,
): undefined | Promise<undefined> {
  const { body, rest } = reply
  const trace = traceOf(response.req)
  // Node ends what has neither a length nor chunks with its connection.
  trace.isLast ||= options.close || (rest !== undefined && response.req.httpVersion === '1.0')
  const length = rest === undefined ? Buffer.byteLength(body) : undefined
  writeHead(response, reply, { trace, length, heads: options.heads })
  if (rest !== undefined) return stream(response, body, rest)
  if (length! > 0 && response.req.method !== 'HEAD') trace.answeredBytes = length!
  response.end(body)
  // A client that asks ahead and reads nothing gets its next answer when it has taken this one.
  return response.req.socket.writableLength > UNREAD_BYTES ? taken(response, 'finish') : undefined
}

function writeHead(
  response: ServerResponse,
  { status, body, rest, headers = NONE, serverTiming }: Reply,
  {
    trace,
    length,
    heads,
  }: { trace: RequestTrace; length: number | undefined; heads: PlainHeads | undefined },
): void {
  const { origin } = response.req.headers
  const isPlain =
    headers.length === 0 && origin === undefined && !trace.isLast && length !== undefined && length > 0
  if (isPlain && heads?.write(response, { status, trace, length, serverTiming })) return
  const head = [...(trace.isStrict ? STRICT_HEADERS : FIRST_HEADERS), trace.id, ...headers]
  if (serverTiming !== undefined) head.push('Server-Timing', serverTiming)
  // Each header costs about half a microsecond, so that those for pages go to pages alone.
  if (origin !== undefined) head.push(...CORS_HEADERS)
  if (trace.isLast) head.push('Connection', 'close')
  if (rest !== undefined || body !== '') head.push('Content-Type', 'application/json')
  if (length !== undefined && length > 0) head.push('Content-Length', String(length))
  response.writeHead(status, head)
}

async function stream(
  response: ServerResponse,
  first: string | Uint8Array,
  rest: AsyncIterable<string>,
): Promise<undefined> {
  const { socket } = response.req
  const trace = traceOf(response.req)
  const write = (piece: string | Uint8Array): boolean => {
    trace.answeredBytes += Buffer.byteLength(piece)
    return response.write(piece)
  }
  // Nobody reads the body of an answer to HEAD: leaving the loop tells `rest` to stop.
  const isWanted = (): boolean => !socket.destroyed && response.req.method !== 'HEAD'
  try {
    if (!write(first)) await taken(response, 'drain')
    for await (const piece of rest) {
      if (!isWanted()) break
      if (!write(piece)) await taken(response, 'drain')
    }
  } catch (error) {
    breakOff(response)
    throw error
  }
  response.end()
}

/** Ends a connection in the middle of an answer, behind those before it: until these are out, the answer has no socket. */
function breakOff(response: ServerResponse): void {
  if (response.socket === null) response.once('socket', (socket) => socket.destroy())
  else response.destroy()
}

/** Waits until the client has taken enough, or is gone; one that takes nothing is hung up on (`UnreadAnswers`). */
export function taken(response: ServerResponse, event: 'drain' | 'finish'): Promise<undefined> {
  const { socket } = response.req
  if (socket.destroyed || response.writableFinished) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const go = (): void => {
      response.off(event, go)
      socket.off('close', go)
      resolve(undefined)
    }
    response.on(event, go)
    socket.on('close', go)
  })
}
