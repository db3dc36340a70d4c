import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { AppError } from '../../errors.ts'
import type { SharedCount } from '../../shared-memory/count.ts'
import { hasState, stateOf } from '../request/request-state.ts'
import { sent } from '../response/reply.ts'
import type { HttpTimeouts } from './timeouts.ts'

/** Answers one request, at once where nothing has to be waited for; never throws nor rejects. */
export type HandleRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
) => undefined | Promise<undefined>

/** Requests of one connection after which others have their turn; one read can bring thousands. */
const TURN_REQUESTS = 64

/** What a request takes that waits, in bytes, beside its headers and its body: 1.5 KB, by measurement. */
const REQUEST_BYTES = 2 * 1024
/** A name or a value, which may be as short as nothing: 27 to 63 bytes. */
const HEADER_BYTES = 64
/** A byte of a body that comes in chunks of one byte: 210 bytes for 6 on the wire. */
const BODY_FACTOR = 40
/** What may wait on one connection. One read of 64 KiB takes no more, but for one that is made to. */
const CONNECTION_BYTES = 4 * 1024 * 1024

/** What one connection has asked for. */
interface Connection {
  /** When all requests that were taken are answered; undefined where they are. */
  answered: Promise<void> | undefined
  /** Requests that wait for those before them. */
  waiting: number
  /** Memory that these take, by estimate. */
  waitingBytes: number
  /** The request that was taken last, and the response that was answered last. */
  newest: IncomingMessage | undefined
  last: ServerResponse | undefined
  /** Whether the client sends requests ahead of their turn; unknown before its first answer. */
  pipelines: boolean | undefined
  /** Whether what still comes is no request any more. */
  isClosed: boolean
  /** Whether the answer was given that ends the connection, so that nothing more is begun. */
  isOver: boolean
  /** A request that was refused before all of it had come, so that it is not done. */
  aborted: IncomingMessage | undefined
}

/**
 * The requests of connections. Node.js keeps the answers to those that a client sends ahead in order; here they are also
 * carried out in order, for a write among them has to be seen by the reads behind it (RFC 9112, section 9.3.2), and a
 * client that does not take its answers gets no more of them made.
 */
export class Pipeline {
  private readonly handle: HandleRequest
  private readonly writeStallMs: number
  private readonly open: SharedCount
  private readonly connections = new WeakMap<Socket, Connection>()

  /** @param open counts the connections that have an open request */
  constructor(
    handle: HandleRequest,
    { writeStallMs, open }: Pick<HttpTimeouts, 'writeStallMs'> & { readonly open: SharedCount },
  ) {
    this.handle = handle
    this.writeStallMs = writeStallMs
    this.open = open
  }

  take(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const connection = this.of(request.socket)
    // What stands behind the last request of a connection may be no request at all, but a part of its body.
    if (connection.isClosed) return
    connection.newest = request
    // Node gives a response its socket when the answer before it is handed over.
    if (connection.answered === undefined && response.socket !== null)
      this.begin(connection, request, response, expectsContinue)
    else this.queue(connection, request, response, expectsContinue)
  }

  /** Whether nothing is owed to a client. */
  isIdle(socket: Socket): boolean {
    const { answered, last } = this.of(socket)
    return answered === undefined && (last === undefined || last.writableFinished)
  }

  /** Whether requests may come while an answer is on its way, as they do from clients that send them ahead. */
  mayPipeline(socket: Socket): boolean {
    return this.of(socket).pipelines !== false
  }

  /** Whether a request waits for those before it, so that it is not late by its own fault. */
  isHeldBack(socket: Socket): boolean {
    const { newest, waiting } = this.of(socket)
    return waiting > 0 || (newest !== undefined && !newest.complete && !hasState(newest))
  }

  /** Whether the request that is coming in may take as long as it takes. */
  isStreaming(socket: Socket): boolean {
    const { newest } = this.of(socket)
    return newest !== undefined && hasState(newest) && stateOf(newest).isStreamed === true
  }

  /** A function that tells whether what has not come in whole by now has not either when it is called. */
  lateness(socket: Socket): () => boolean {
    const connection = this.of(socket)
    const { newest } = connection
    const isHead = newest?.complete !== false
    return () => !socket.destroyed && connection.newest === newest && (isHead || !newest.complete)
  }

  /** Begins nothing more on a connection; resolves when what was begun is answered. */
  close(socket: Socket): Promise<void> {
    this.of(socket).isOver = true
    return this.finish(socket)
  }

  /** Takes no more requests from a connection; resolves when those that were taken are answered. */
  async finish(socket: Socket): Promise<void> {
    const connection = this.of(socket)
    connection.isClosed = true
    while (connection.answered !== undefined) await connection.answered
    if (connection.last !== undefined) await sent(connection.last, this.writeStallMs)
  }

  /** Whether the answer was given that ends the connection: a client takes nothing behind it for an answer. */
  hasEnded(socket: Socket): boolean {
    return this.of(socket).isOver
  }

  /**
   * Refuses what came last on a connection. A request that has not come in whole is not done any more: the refusal becomes
   * its answer, unless it is being answered already.
   * @returns whether the refusal has yet to be told, when `finish` resolves and the connection still goes on then
   */
  refuse(socket: Socket, reason: AppError): boolean {
    const connection = this.of(socket)
    const { newest } = connection
    // Behind the last request of a connection nothing is asked, so that nothing is refused.
    const isAsked = !connection.isClosed
    connection.isClosed = true
    if (newest === undefined || newest.complete) return isAsked
    if (!hasState(newest)) {
      connection.aborted = newest
      return isAsked
    }
    const state = stateOf(newest)
    state.closeAfter = true
    state.refusal = reason
    state.giveUp?.(reason)
    return false
  }

  /** One that finds its connection free is answered at once where that is possible. */
  private begin(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): void {
    this.open.add(1)
    const answering = this.handle(request, response, expectsContinue)
    if (answering === undefined) {
      this.open.add(-1)
      noteAnswer(connection, request, response)
      return
    }
    connection.answered = answering.then(() => this.leave(connection, request, response))
  }

  private queue(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): void {
    const { socket } = request
    if (connection.answered === undefined) this.open.add(1)
    connection.pipelines = true
    connection.waiting++
    connection.waitingBytes += bytesOf(request)
    if (connection.waitingBytes > CONNECTION_BYTES) socket.destroy()
    // Once, for Node resumes a connection for reasons of its own, a tick after it decides to.
    if (connection.waiting === 1) socket.pause()
    connection.answered = (connection.answered ?? Promise.resolve()).then(async () => {
      if (connection.waiting % TURN_REQUESTS === 0) await turn()
      // Answers that a client doesn't take are not piled up.
      if (connection.last !== undefined) await sent(connection.last, this.writeStallMs)
      if (--connection.waiting === 0) {
        connection.waitingBytes = 0
        socket.resume()
      }
      const isWanted = !socket.destroyed && !connection.isOver && connection.aborted !== request
      if (isWanted) await this.handle(request, response, expectsContinue)
      this.leave(connection, request, response)
    })
  }

  private leave(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    // A request that was passed over has no state.
    if (hasState(request)) noteAnswer(connection, request, response)
    if (connection.waiting > 0) return
    connection.answered = undefined
    this.open.add(-1)
  }

  private of(socket: Socket): Connection {
    const known = this.connections.get(socket)
    if (known !== undefined) return known
    const connection: Connection = {
      answered: undefined,
      waiting: 0,
      waitingBytes: 0,
      newest: undefined,
      last: undefined,
      pipelines: undefined,
      isClosed: false,
      isOver: false,
      aborted: undefined,
    }
    socket.on('resume', () => {
      if (connection.waiting > 0) socket.pause()
    })
    this.connections.set(socket, connection)
    return connection
  }
}

/** A request that was refused is answered by that. */
function noteAnswer(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  connection.last = response
  connection.pipelines ??= false
  if (!stateOf(request).closeAfter) return
  connection.isClosed = true
  connection.isOver = true
}

function bytesOf({ rawHeaders, url, readableLength }: IncomingMessage): number {
  return REQUEST_BYTES + HEADER_BYTES * rawHeaders.length + url!.length + BODY_FACTOR * readableLength
}
