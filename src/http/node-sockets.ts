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

interface Layered {
  /** What carries a TLS connection. */
  readonly _parent?: Socket | null
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
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
