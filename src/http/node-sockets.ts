import type { Socket } from 'node:net'

/*
 * What Node's HTTP server does with its sockets and lets nobody choose.
 */

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

/**
 * Keeps Node from pausing the parser of a client that sends ahead and does not read: it pauses the socket as well, but TLS
 * may hand over more that it has read already, which a paused parser takes for malformed. How much is taken then,
 * `RequestLines` bounds.
 */
export function neverPaused(socket: Socket): void {
  const { parser } = socket as { parser?: { pause?: () => void } }
  if (parser !== undefined) parser.pause = () => {}
}
