import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { SharedCount } from '../shared-memory/count.ts'
import { Backlog, type Waiting } from './backlog.ts'
import { hold, outgoing, release } from './node-sockets.ts'
import { ClientGone } from './read-body.ts'
import { endGently } from './refuse-socket.ts'
import { taken, UNREAD_BYTES } from './reply.ts'
import { isTraced, traceOf } from './request-trace.ts'
import type { HttpTimeouts } from './timeouts.ts'

/** Answers one request, at once where nothing has to be waited for; never throws nor rejects. */
export type HandleRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
) => undefined | Promise<undefined>

/** Requests of one connection after which others have their turn; one read can bring thousands. */
const TURN_REQUESTS = 64

/** The head of an answer, by estimate. */
const HEAD_BYTES = 512

const NOTHING_OWED = Promise.resolve()

/** What one connection has asked for, and how it ends. */
class Line {
  /** Requests that were taken and are not answered yet. */
  waiting = 0
  /** When all of them are; undefined where there are none. */
  answered: Promise<void> | undefined
  /** Bytes of answers that were given since the client is known to have taken all. */
  untaken = 0
  newest: IncomingMessage | undefined
  newestResponse: ServerResponse | undefined
  /** To the newest request that was answered. It may wait in the process for those before it to be sent. */
  last: ServerResponse | undefined
  /** A request that was refused on its way; its answer is the refusal. */
  withdrawn: IncomingMessage | undefined
  /** Whether what still comes is no request any more. */
  isClosed = false
  /** Whether nothing is read, because what was read waits. */
  isHeld = false
  /** What Node keeps of what waits, from the first time on that anything does. */
  backlog: Waiting | undefined
  /** Whether nothing more is begun, and nothing more is said than is under way. */
  isOver = false
}

const LINE = Symbol('line')

function lineOf(socket: Socket & { [LINE]?: Line }): Line {
  socket[LINE] ??= new Line()
  return socket[LINE]
}

/**
 * The requests of connections. Those that a client sends ahead are taken one after the other, for a write among them has
 * to be seen by the reads behind it (RFC 9112, section 9.3.2). What ends a connection stands in the same line: nothing
 * overtakes an answer, and none is lost whose client takes it.
 */
export class RequestLines {
  private readonly handle: HandleRequest
  private readonly lingerMs: number
  private readonly stalledAnswerMs: number
  private readonly open: SharedCount
  private readonly backlog = new Backlog()

  /** @param open counts the connections that have an open request */
  constructor(
    handle: HandleRequest,
    {
      lingerMs,
      stalledAnswerMs,
      open,
    }: Pick<HttpTimeouts, 'lingerMs' | 'stalledAnswerMs'> & { readonly open: SharedCount },
  ) {
    this.handle = handle
    this.lingerMs = lingerMs
    this.stalledAnswerMs = stalledAnswerMs
    this.open = open
  }

  take(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const line = lineOf(request.socket)
    if (line.isClosed) {
      // Node keeps each of them until the connection is gone.
      this.keep(line, request)
      return
    }
    line.newest = request
    line.newestResponse = response
    // Node ends the connection with the answer.
    if (!response.shouldKeepAlive) line.isClosed = true
    // Node gives a response its socket when all answers before it are handed over.
    if (line.answered !== undefined || response.socket === null)
      this.queue(line, request, response, expectsContinue)
    else this.begin(line, request, response, expectsContinue)
  }

  /** One that finds its connection free is answered at once where that is possible. */
  private begin(
    line: Line,
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): void {
    this.open.add(1)
    line.untaken = 0
    const answering = this.handle(request, response, expectsContinue)
    if (answering === undefined) {
      this.open.add(-1)
      noteAnswer(line, request, response)
      return
    }
    line.waiting = 1
    line.answered = answering.then(() => this.leave(line, request, response))
  }

  private queue(
    line: Line,
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): void {
    const { socket } = request
    if (line.answered === undefined) this.open.add(1)
    line.waiting++
    this.keep(line, request)
    line.answered = (line.answered ?? NOTHING_OWED).then(async () => {
      await this.goOn(line, request)
      // What stands behind the last request of a connection may be no request at all, but a part of its body.
      if (!socket.destroyed && !line.isOver && line.withdrawn !== request)
        await this.handle(request, response, expectsContinue)
      this.leave(line, request, response)
    })
  }

  /** Reads nothing more from a connection on which something waits; one that has too much waiting is cut. */
  private keep(line: Line, request: IncomingMessage): void {
    const { socket } = request
    if (socket.destroyed) return
    const backlog = this.backlogOf(line, socket)
    if (!this.backlog.add(backlog, request)) socket.destroy()
    if (line.isHeld) return
    holdLine(line, socket)
    // What was read together with this is parsed by then.
    setImmediate(() => {
      this.backlog.addBody(backlog)
      if (!this.backlog.hasRoom(backlog)) socket.destroy()
    })
  }

  private backlogOf(line: Line, socket: Socket): Waiting {
    if (line.backlog !== undefined) return line.backlog
    const backlog: Waiting = { bytes: 0, newest: undefined }
    line.backlog = backlog
    socket.once('close', () => this.backlog.clear(backlog))
    return backlog
  }

  /**
   * Answers that a client doesn't take are not piled up: the next request waits until it has taken those before. The last
   * of those that were read waits for all of them; then more is read, which may be its body.
   */
  private async goOn(line: Line, request: IncomingMessage): Promise<void> {
    if (line.waiting % TURN_REQUESTS === 0) await turn()
    if (line.untaken <= UNREAD_BYTES && request !== line.newest) return
    if (line.last !== undefined) await taken(line.last, 'finish', this.stalledAnswerMs)
    line.untaken = 0
    if (request.socket.destroyed || request !== line.newest || line.withdrawn === request) return
    // Behind the last request of a connection nothing is read.
    if (line.isClosed && request.complete) return
    this.backlog.clear(line.backlog!)
    line.isHeld = false
    release(request.socket)
  }

  private leave(line: Line, request: IncomingMessage, response: ServerResponse): void {
    // A request that was passed over has no trace.
    if (isTraced(request)) {
      noteAnswer(line, request, response)
      line.untaken += traceOf(request).answeredBytes + HEAD_BYTES
    }
    if (--line.waiting > 0) return
    line.answered = undefined
    this.open.add(-1)
  }

  /** Whether nothing is owed to a client, and nothing is on its way to it. */
  isIdle(socket: Socket): boolean {
    const { answered, last } = lineOf(socket)
    return answered === undefined && last?.writableFinished !== false && !outgoing(socket).isWaiting
  }

  /** Whether what has not come in whole can't, for nobody reads it before its turn. */
  isHeldBack(socket: Socket): boolean {
    const { newest, isHeld } = lineOf(socket)
    return isHeld || (newest !== undefined && !newest.complete && !isTraced(newest))
  }

  /** A function that tells whether what has not come in whole by now has not either when it is called. */
  lateness(socket: Socket): () => boolean {
    const line = lineOf(socket)
    const { newest } = line
    const isHead = newest?.complete !== false
    return () => !socket.destroyed && line.newest === newest && (isHead || !newest.complete)
  }

  /**
   * Refuses what came last on a connection, which ends with that. The answers to what came before are given first. A
   * request that has come in part is not done any more; one that is being answered all the same gets no other answer.
   * @param tell writes the refusal to the bare socket, and ends it
   */
  refuse(socket: Socket, tell: () => void): void {
    const line = lineOf(socket)
    const { newest } = line
    const isUnfinished = newest !== undefined && !newest.complete
    // Behind the last request of a connection nothing is asked, so that nothing is refused.
    if (line.isClosed && !isUnfinished) return
    line.isClosed = true
    holdLine(line, socket)
    const isTold = !isUnfinished || withdraw(line, newest)
    void this.sent(socket).then(() => {
      if (socket.destroyed || line.isOver) return
      line.isOver = true
      if (isTold) tell()
      else endGently(socket, this.lingerMs)
    })
  }

  /** Begins nothing more on a connection, and ends it when what is under way is answered. */
  close(socket: Socket): void {
    const line = lineOf(socket)
    line.isClosed = true
    line.isOver = true
    if (line.newest === undefined) socket.destroy()
    else void this.sent(socket).then(() => endGently(socket, this.lingerMs))
  }

  /**
   * Drops a connection whose client has ended its side, when nothing has been on its way to it for a while: such a client
   * has most often gone, and nobody waits for what takes long.
   */
  async hurry(socket: Socket): Promise<void> {
    for (let known = -1; !socket.destroyed && !this.isIdle(socket); ) {
      const { taken, isWaiting } = outgoing(socket)
      if (taken === known && !isWaiting) socket.destroy()
      known = taken
      await wait(this.lingerMs, undefined, { ref: false })
    }
  }

  /** Resolves when everything that was taken is answered, and the system has all of it. */
  private async sent(socket: Socket): Promise<void> {
    const line = lineOf(socket)
    while (line.answered !== undefined) await line.answered
    if (line.last?.writableFinished === false) await taken(line.last, 'finish', this.stalledAnswerMs)
  }
}

function holdLine(line: Line, socket: Socket): void {
  if (line.isHeld) return
  line.isHeld = true
  hold(socket)
}

function noteAnswer(line: Line, request: IncomingMessage, response: ServerResponse): void {
  // Its answer is the refusal, which has yet to be told.
  if (line.withdrawn === request) return
  line.last = response
  if (!traceOf(request).isLast) return
  line.isClosed = true
  line.isOver = true
}

/** Takes back a request that has come in part, unless it is being answered, or is answered. */
function withdraw(line: Line, request: IncomingMessage): boolean {
  if (line.newestResponse!.headersSent) return false
  line.withdrawn = request
  if (!isTraced(request)) return true
  const trace = traceOf(request)
  trace.isWithdrawn = true
  trace.giveUp?.(new ClientGone())
  return true
}
