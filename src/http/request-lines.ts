import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { SharedCount } from '../shared-memory/count.ts'
import { hasRest } from './read-body.ts'
import { taken, UNREAD_BYTES } from './reply.ts'
import { isTraced, traceOf } from './request-trace.ts'
import type { HttpTimeouts } from './timeouts.ts'

/** Answers one request, at once where nothing has to be waited for; never throws nor rejects. */
export type HandleRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
) => undefined | Promise<undefined>

/** Requests that one connection may have waiting. */
const PIPELINED_REQUESTS = 1000

const NOTHING_OWED = Promise.resolve(undefined)

interface Line {
  waiting: number
  /** Bytes of answers that were given since the client is known to have taken all. */
  untaken: number
  /** The newest request, when it and all before it are answered, and when all before it are. */
  newest: IncomingMessage
  response: ServerResponse
  answered: Promise<void>
  before: Promise<void> | undefined
}

/**
 * The requests that are being answered, by connection. Those that a client sends ahead are taken one after the other,
 * for a write among them has to be seen by the reads behind it (RFC 9112, section 9.3.2).
 */
export class RequestLines {
  private readonly lines = new Map<Socket, Line>()
  /** Connections that end with an answer that was already given; what still comes on them is no request. */
  private readonly over = new WeakSet<Socket>()
  /** The last request of a connection that was answered before all of it had come. */
  private readonly unfinished = new WeakMap<Socket, IncomingMessage>()
  private readonly handle: HandleRequest
  private readonly stalledAnswerMs: number
  private readonly open: SharedCount

  /** @param open counts the connections that have an open request */
  constructor(
    handle: HandleRequest,
    { stalledAnswerMs, open }: Pick<HttpTimeouts, 'stalledAnswerMs'> & { readonly open: SharedCount },
  ) {
    this.handle = handle
    this.stalledAnswerMs = stalledAnswerMs
    this.open = open
  }

  take(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const { socket } = request
    const line = this.lines.get(socket)
    if (line === undefined) {
      if (this.over.has(socket)) return
      this.begin(request, response, expectsContinue)
      return
    }
    if (++line.waiting > PIPELINED_REQUESTS) socket.destroy()
    line.newest = request
    line.response = response
    line.before = line.answered
    line.answered = line.answered.then(async () => {
      // What stands behind the last request of a connection may be no request at all, but a part of its body.
      if (!socket.destroyed && !this.over.has(socket)) await this.handle(request, response, expectsContinue)
      await this.leave(request, response)
    })
  }

  /**
   * One that finds its connection free is answered at once where that is possible. One that was sent ahead, while an
   * answer is not handed over yet, waits in a line, where it is counted.
   */
  private begin(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const { socket } = request
    const handle = (): undefined | Promise<undefined> => this.handle(request, response, expectsContinue)
    this.open.add(1)
    // Node gives a response its socket when all answers before it are handed over.
    const answering = response.socket === null ? NOTHING_OWED.then(handle) : handle()
    if (answering === undefined) {
      this.open.add(-1)
      this.noteEnd(request)
      return
    }
    const answered = answering.then(() => this.leave(request, response))
    this.lines.set(socket, { waiting: 1, untaken: 0, newest: request, response, answered, before: undefined })
  }

  /** Whether the connection ends with the answer to its newest request, be that given or under way. */
  isOver(socket: Socket): boolean {
    const newest = this.lines.get(socket)?.newest
    return this.over.has(socket) || (newest !== undefined && isTraced(newest) && traceOf(newest).isLast)
  }

  /** Whether the newest request was answered, though a part of it has yet to come. */
  isAnswered(socket: Socket): boolean {
    return !this.lines.has(socket) && this.unfinished.get(socket)?.complete === false
  }

  isBusy(socket: Socket): boolean {
    return this.lines.has(socket)
  }

  /** Whether an answer to the newest request is under way, so that no other one may be written. */
  isAnswering(socket: Socket): boolean {
    return this.lines.get(socket)?.response.headersSent === true
  }

  /**
   * Resolves when everything that a connection has asked for in whole is answered, with whether the connection goes on;
   * undefined where nothing of that is owed.
   */
  answered(socket: Socket): Promise<boolean> | undefined {
    const line = this.lines.get(socket)
    const owed = line?.newest.complete ? line.answered : line?.before
    return owed?.then(() => !this.over.has(socket))
  }

  /** Resolves when `answered` does, or when the client has taken nothing more for so long. */
  async answersTaken(socket: Socket, patienceMs: number): Promise<void> {
    const answered = this.answered(socket)
    let isOver = answered === undefined
    const over = answered?.then(() => {
      isOver = true
    })
    for (let taken = -1; !isOver && taken !== socket.bytesWritten; ) {
      taken = socket.bytesWritten
      await Promise.race([over, wait(patienceMs, undefined, { ref: false })])
    }
  }

  /** Answers that a client doesn't take are not piled up: the next request waits until it has taken those before. */
  private leave(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const { socket } = request
    const line = this.lines.get(socket)!
    // A request that was passed over has no trace.
    if (isTraced(request)) {
      this.noteEnd(request)
      line.untaken += traceOf(request).answeredBytes
    }
    if (--line.waiting === 0) {
      this.lines.delete(socket)
      this.open.add(-1)
    } else if (line.untaken > UNREAD_BYTES) {
      line.untaken = 0
      return taken(response, 'finish', this.stalledAnswerMs)
    }
    return undefined
  }

  private noteEnd(request: IncomingMessage): void {
    if (traceOf(request).isLast) this.over.add(request.socket)
    if (hasRest(request)) this.unfinished.set(request.socket, request)
  }
}
