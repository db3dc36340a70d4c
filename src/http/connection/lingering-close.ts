import type { IncomingMessage } from 'node:http'
import { ReadQuantum } from './read-quantum.ts'

/** How many times a client that is still sending gets the time again. */
const LINGERS = 5

/**
 * Throws away what is still to come of a request's body; resolves when all of it has come, or nothing more comes, or the
 * connection is gone. To close a connection on which something comes resets it, and drops the answer that its client has
 * not read yet (RFC 9112, section 9.6).
 * @param lingerMs how long a client may send nothing; one that sends gets it up to five times
 */
export function drain(request: IncomingMessage, lingerMs: number): Promise<void> {
  const { socket } = request
  if (socket.destroyed || request.readableEnded) return Promise.resolve()
  return new Promise((resolve) => {
    let known = socket.bytesRead
    let looks = 0
    const timer = setInterval(() => {
      if (socket.bytesRead === known || ++looks === LINGERS) done()
      known = socket.bytesRead
    }, lingerMs)
    const done = (): void => {
      clearInterval(timer)
      request.off('end', done)
      request.off('data', note)
      socket.off('close', done)
      resolve()
    }
    const quantum = new ReadQuantum(socket)
    const note = (chunk: Buffer): void => quantum.note(chunk.length)
    request.on('data', note)
    request.on('end', done)
    socket.on('close', done)
    request.resume()
  })
}
