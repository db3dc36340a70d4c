import type { Socket } from 'node:net'
import { outgoing } from './node-sockets.ts'

/** Looks in the time that a client may take nothing. */
const LOOKS = 4

interface Unread {
  readonly taken: number
  readonly since: number
}

/**
 * Hangs up on clients that take nothing of what is on its way to them: Node waits for them without end, before and after
 * it has ended its own side. A client that takes little makes itself felt late, for the system has buffers, too.
 */
export class UnreadAnswers {
  private readonly sockets = new Map<Socket, Unread | undefined>()
  private readonly stalledMs: number
  private readonly timer: NodeJS.Timeout

  constructor(stalledMs: number) {
    this.stalledMs = stalledMs
    this.timer = setInterval(() => this.look(), stalledMs / LOOKS).unref()
  }

  add(socket: Socket): void {
    this.sockets.set(socket, undefined)
    socket.on('close', () => this.sockets.delete(socket))
  }

  close(): void {
    clearInterval(this.timer)
  }

  private look(): void {
    const now = performance.now()
    for (const [socket, known] of this.sockets) {
      const { isWaiting, taken } = outgoing(socket)
      if (!isWaiting) this.sockets.set(socket, undefined)
      else if (known?.taken !== taken) this.sockets.set(socket, { taken, since: now })
      else if (now - known.since >= this.stalledMs) socket.destroy()
    }
  }
}
