import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers one request; never rejects. */
export type HandleRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
) => Promise<void>

/** Requests that one connection may have waiting. */
const PIPELINED_REQUESTS = 1000

interface Line {
  waiting: number
  /** The newest request, and when it and all before it are answered. */
  newest: IncomingMessage
  answered: Promise<void>
}

/**
 * The requests that are being answered, by connection. Those that a client sends ahead are taken one after the other,
 * for a write among them has to be seen by the reads behind it (RFC 9112, section 9.3.2).
 */
export class RequestLines {
  private readonly lines = new Map<Socket, Line>()
  private readonly handle: HandleRequest

  constructor(handle: HandleRequest) {
    this.handle = handle
  }

  take(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const { socket } = request
    const line = this.lines.get(socket)
    if (line === undefined) {
      const answered = this.handle(request, response, expectsContinue).then(() => this.leave(socket))
      this.lines.set(socket, { waiting: 1, newest: request, answered })
      return
    }
    if (++line.waiting > PIPELINED_REQUESTS) socket.destroy()
    line.newest = request
    line.answered = line.answered.then(async () => {
      if (!socket.destroyed) await this.handle(request, response, expectsContinue)
      this.leave(socket)
    })
  }

  isBusy(socket: Socket): boolean {
    return this.lines.has(socket)
  }

  /**
   * Resolves when everything that a connection asked for is answered; undefined where nothing is owed, or where a
   * request came that will never be complete.
   */
  answered(socket: Socket): Promise<void> | undefined {
    const line = this.lines.get(socket)
    return line?.newest.complete ? line.answered : undefined
  }

  private leave(socket: Socket): void {
    const line = this.lines.get(socket)!
    if (--line.waiting === 0) this.lines.delete(socket)
  }
}
