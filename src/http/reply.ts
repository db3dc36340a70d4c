import type { ServerResponse } from 'node:http'
import { CORS_HEADERS } from './cors.ts'

/** An answer, before it is written to a socket. */
export interface Reply {
  readonly status: number
  /** JSON text, or nothing. */
  readonly body: string
  /** What comes after `body`, where that is not the whole answer yet. */
  readonly rest?: AsyncIterable<string>
  /** Names and values in turn, beside the headers of every answer. */
  readonly headers?: readonly string[]
}

/** The headers of every answer, names and values in turn. */
export const COMMON_HEADERS: readonly string[] = Object.freeze([
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
])

const NONE: readonly string[] = Object.freeze([])

export interface SendOptions {
  /** Whether the connection ends with this answer. */
  readonly close: boolean
  /** How long the rest of the request is still read, and thrown away, before the connection ends. */
  readonly lingerMs: number
  /** How long a client may take nothing of a long answer before it is given up. */
  readonly stalledAnswerMs: number
}

/**
 * Writes an answer; resolves when all of it was handed over. A long answer that can't go on ends its connection, so
 * that the client never takes a part for the whole.
 */
export async function sendReply(response: ServerResponse, reply: Reply, options: SendOptions): Promise<void> {
  const { status, body, rest, headers = NONE } = reply
  const head = [...COMMON_HEADERS, ...headers]
  // Each header costs about half a microsecond, so that those for pages go to pages alone.
  if (response.req.headers.origin !== undefined) head.push(...CORS_HEADERS)
  if (options.close) head.push('Connection', 'close')
  if (rest !== undefined || body !== '') head.push('Content-Type', 'application/json')
  if (rest === undefined) {
    if (body !== '') head.push('Content-Length', String(Buffer.byteLength(body)))
    response.writeHead(status, head)
    if (options.lingerMs === 0) response.end(body)
    else await endLate(response, body, options.lingerMs)
    return
  }
  response.writeHead(status, head)
  try {
    await stream(response, body, rest, options.stalledAnswerMs)
  } catch (error) {
    response.destroy()
    throw error
  }
}

/**
 * Sends the whole answer and ends it late: Node closes the connection at the end, and closing it while the client is
 * still sending would reset it under the answer.
 */
async function endLate(response: ServerResponse, body: string, lingerMs: number): Promise<void> {
  response.write(body)
  const { req: request } = response
  if (!request.destroyed)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lingerMs)
      request.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      request.on('error', () => {})
      request.resume()
    })
  response.end()
}

async function stream(
  response: ServerResponse,
  first: string,
  rest: AsyncIterable<string>,
  stalledAnswerMs: number,
): Promise<void> {
  const { socket } = response.req
  // Nobody reads the body of an answer to HEAD: leaving the loop tells `rest` to stop.
  const isWanted = (): boolean => !socket.destroyed && response.req.method !== 'HEAD'
  if (!response.write(first)) await drained(response, stalledAnswerMs)
  for await (const piece of rest) {
    if (!isWanted()) break
    if (!response.write(piece)) await drained(response, stalledAnswerMs)
  }
  response.end()
}

/** Waits until the client took enough; one that takes nothing for too long is hung up on. */
function drained(response: ServerResponse, stalledAnswerMs: number): Promise<void> {
  const { socket } = response.req
  if (socket.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), stalledAnswerMs)
    const go = (): void => {
      clearTimeout(timer)
      response.off('drain', go)
      socket.off('close', go)
      resolve()
    }
    response.on('drain', go)
    socket.on('close', go)
  })
}
