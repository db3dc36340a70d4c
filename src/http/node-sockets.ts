import type { Server } from 'node:https'
import type { Socket } from 'node:net'

/*
 * What Node's HTTP server does with its sockets and lets nobody choose.
 */

/**
 * Leaves it to `RequestLines` when connections end: a client that has ended its side still gets the answers to what it
 * asked for, and a server that stops drops no connection on which some are on their way.
 */
export function endsByLines(server: Server): void {
  ;(server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true
  server.closeIdleConnections = () => {}
}

/** Node ends connections with their last answers by this, and in one go. */
export function endsBy(socket: Socket, end: () => void): void {
  socket.destroySoon = end
}

/**
 * When the client has ended its side, `take` is given what Node would do then, to be done later or not at all.
 * @param socket of a connection on which nothing was read yet
 */
export function deferEnd(socket: Socket, take: (end: () => void) => void): void {
  // Without this Node ends its own side at once, too.
  socket.allowHalfOpen = true
  const listeners = socket.listeners('end')
  socket.removeAllListeners('end')
  socket.on('end', () =>
    take(() => {
      for (const listener of listeners) listener.call(socket)
    }),
  )
}

/** How far the system has taken what was written to a connection, TLS or not. */
export function outgoing(socket: Socket): {
  /** Bytes that it has taken, as they go over the wire. `bytesWritten` has those that still wait for it, too. */
  readonly taken: number
  /** Whether some wait in the process for it to take them. */
  readonly isWaiting: boolean
} {
  const carrier = ((socket as Layered)._parent ?? socket) as Layered
  const { bytesWritten = 0, writeQueueSize = 0 } = carrier._handle ?? {}
  return {
    taken: bytesWritten - writeQueueSize,
    isWaiting: writeQueueSize > 0 || socket.writableLength > 0,
  }
}

interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
  reading: boolean
  readStop: () => void
}

interface Layered {
  /** What carries a TLS connection. */
  readonly _parent?: Socket | null
  readonly _handle?: Handle | null
}

const HOLDS = Symbol('holds')

type Held = Socket & { [HOLDS]?: number }

function staysPaused(this: Socket): Socket {
  return this
}

/** Streams begin to read a tick after they were told to, whatever they were told since. */
function staysHeld(this: Held): void {
  const holds = this[HOLDS]!
  const handle = (this as Layered)._handle
  if (holds === 0 || holds === DISCARDED || !handle?.reading) return
  handle.reading = false
  handle.readStop()
}

/**
 * Reads nothing more from a connection until as many calls of `release`. What was read is still parsed; Node, which starts
 * to read again for reasons of its own, can't.
 */
export function hold(socket: Held): void {
  if (socket[HOLDS] === undefined) socket.on('resume', staysHeld)
  const holds = socket[HOLDS] ?? 0
  if (holds === DISCARDED) return
  socket[HOLDS] = holds + 1
  socket.pause()
  socket.resume = staysPaused
}

export function release(socket: Held): void {
  const holds = socket[HOLDS] ?? 0
  if (holds === DISCARDED) return
  socket[HOLDS] = holds - 1
  if (holds === 1) letGo(socket)
}

const DISCARDED = Number.POSITIVE_INFINITY

/** Throws away what still comes in on a connection, without parsing it. */
export function discard(socket: Held): void {
  socket[HOLDS] = DISCARDED
  socket.removeAllListeners('data')
  // Node takes its parser from a connection that somebody else listens to.
  socket.on('data', () => {})
  letGo(socket)
}

function letGo(socket: Socket): void {
  socket.resume = Object.getPrototypeOf(socket).resume
  socket.resume()
}

/**
 * Keeps Node from pausing the parser of a client that sends ahead and does not read: it pauses the socket as well, but TLS
 * may hand over more that it has read already, which a paused parser takes for malformed. How much is taken then,
 * `RequestLines` bounds.
 */
export function neverPaused(socket: Socket): void {
  const { parser } = socket as { parser?: { pause?: () => void } }
  if (parser !== undefined) parser.pause = () => {}
}
