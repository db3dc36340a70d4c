import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { AppError } from '../errors.ts'
import { CORS_HEADERS } from './cors.ts'
import { errorReply } from './error-reply.ts'
import { discard } from './node-sockets.ts'
import { COMMON_HEADERS } from './reply.ts'
import { HSTS_HEADERS } from './strict-transport.ts'

/**
 * Answers on a bare socket where no HTTP parser can, and ends the connection. What the client is still sending is
 * read for a moment and thrown away: closing at once would reset the connection under the answer.
 */
export function refuseSocket(
  socket: Socket,
  error: AppError,
  answer: { readonly requestId: string; readonly lingerMs: number; readonly isStrict: boolean },
): void {
  const { requestId, lingerMs, isStrict } = answer
  endGently(socket, lingerMs, rawReply(error, requestId, isStrict ? HSTS_HEADERS : []))
}

/** How many times a client that is still sending gets the time again. */
const LINGERS = 5

/**
 * Ends our side of a connection on which all is sent but the last words, and the whole soon after (RFC 9112, section
 * 9.6): a system that has closed one resets it, and drops what it has not sent yet, when the client sends anything more.
 */
export function endGently(socket: Socket, lingerMs: number, lastWords = ''): void {
  if (socket.writableEnded) return
  if (!socket.writable) {
    socket.destroy()
    return
  }
  discard(socket)
  // A client that doesn't take them is hung up on by others.
  socket.end(lastWords, () => linger(socket, lingerMs))
}

function linger(socket: Socket, lingerMs: number): void {
  if (socket.destroyed) return
  let known = socket.bytesRead
  let looks = 0
  const timer = setInterval(() => {
    if (socket.bytesRead === known || ++looks === LINGERS) socket.destroy()
    known = socket.bytesRead
  }, lingerMs)
  socket.once('close', () => clearInterval(timer))
}

function rawReply(error: AppError, requestId: string, transportHeaders: readonly string[]): string {
  const { status, body, headers = [] } = errorReply(error)
  const all = [...COMMON_HEADERS, ...transportHeaders, ...CORS_HEADERS, ...headers]
  all.push('X-Request-Id', requestId, 'Content-Type', 'application/json', 'Connection', 'close')
  // RFC 9110, section 6.6.1: as every other answer has it from Node.
  all.push('Date', new Date().toUTCString())
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < all.length; i += 2) head += `${all[i]}: ${all[i + 1]}\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
