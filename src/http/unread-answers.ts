import type { Socket } from 'node:net'
import { UNREAD_BYTES } from './reply.ts'

/** Looks in the time that a client may take nothing. */
const LOOKS = 4

interface Unread {
  readonly written: number
  readonly since: number
}

/**
 * Hangs up on clients that take nothing of short answers: Node waits for them without end, before and after it has ended
 * its own side. Long answers are watched by whoever sends them (`reply.ts`).
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
      const { writableLength, bytesWritten: written } = socket
      if (writableLength === 0 || writableLength > UNREAD_BYTES) this.sockets.set(socket, undefined)
      else if (known?.written !== written) this.sockets.set(socket, { written, since: now })
      else if (now - known.since >= this.stalledMs) socket.destroy()
    }
  }
}
