import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Limits } from '../../domain/limits.ts'
import type { AppError } from '../../errors.ts'
import type { Log } from '../log/log.ts'
import { addressOf } from '../request/client-address.ts'
import type { RequestIds } from '../request/request-id.ts'
import { acceptFailures } from './accept-failures.ts'
import { connectRefused, malformedRequest, refusalText } from './client-error.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { NamedContexts } from './named-contexts.ts'
import type { Pipeline } from './pipeline.ts'
import type { StrictTransport } from './strict-transport.ts'
import type { HttpTimeouts } from './timeouts.ts'
import { secureContext, type TlsIdentity, unusableCertificate } from './tls-identity.ts'

export interface ListenerOptions {
  readonly tls: TlsIdentity
  readonly names: NamedContexts
  readonly limits: Limits
  readonly timeouts: HttpTimeouts
  /** The requests that are being answered. */
  readonly pipeline: Pipeline
  readonly connections: ConnectionLimits
  readonly strict: StrictTransport
  readonly ids: RequestIds
  readonly log: Log
}

/** Room for the headers beside a URL of the greatest length; Node counts both together. */
const HEADER_BYTES = 32 * 1024
/** What Node lets through, so that memory is bounded; requests with more than are served get an answer of ours. */
const MOST_HEADERS = 1000

/** One listening socket that serves HTTPS and nothing else: Node's `https.Server`, with our bounds and refusals. */
export class Listener {
  private readonly options: ListenerOptions
  private readonly server: Server
  /** Connections as they were accepted, below TLS. */
  private readonly accepted = new Set<Socket>()
  /** Connections that have TLS. */
  private readonly secured = new Set<Socket>()
  private readonly refused = new WeakSet<Socket>()
  private isStopping = false

  /** @throws AppError `invalid_certificate` */
  constructor(options: ListenerOptions) {
    this.options = options
    this.server = createHttpsServer(options)
    const { pipeline, timeouts } = options
    this.server.on('request', (request, response) => pipeline.take(request, response, false))
    this.server.on('checkContinue', (request, response) => pipeline.take(request, response, true))
    // Any other expectation is passed over (RFC 9110, section 10.1.1).
    this.server.on('checkExpectation', (request, response) => pipeline.take(request, response, false))
    this.server.on('connect', (_, socket: Socket) => {
      // Node has let go of the connection, so that no answer before this would go on.
      if (pipeline.isIdle(socket)) this.refuse(socket, connectRefused())
      else socket.destroy()
    })
    this.server.on('connection', (socket: Socket) => this.accept(socket))
    this.server.on('secureConnection', (socket) => this.secure(socket))
    this.server.on('tlsClientError', (error, socket) =>
      options.log.debug(`a TLS handshake failed: ${error.message}`, { address: addressOf(socket) }),
    )
    this.server.on('clientError', (error, socket) => this.clientError(error, socket as Socket))
    this.server.setTimeout(timeouts.writeStallMs, (socket) => this.idle(socket))
  }

  /** @throws the errors of `net.Server.listen`, with their `code` */
  listen(options: { host?: string; port: number; reusePort: boolean }): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ ...options, backlog: 1024 }, () => {
        this.server.off('error', reject)
        // The next client may have more luck.
        this.server.on('error', acceptFailures(this.options.log))
        resolve(this.server.address() as AddressInfo)
      })
    })
  }

  /**
   * Serves new connections with another certificate, where they ask for no name that has its own; those that are open
   * keep theirs.
   * @throws AppError `invalid_certificate`; then the old one stays
   */
  useCertificate(tls: TlsIdentity): void {
    try {
      this.server.setSecureContext(secureContext(tls))
    } catch (error) {
      throw unusableCertificate(error)
    }
  }

  /** Accepts nothing new, and ends each connection when it has what it asked for; resolves when all are gone. */
  async stop(): Promise<void> {
    this.isStopping = true
    const { pipeline } = this.options
    await Promise.all(
      [...this.secured].map((socket) => {
        const gone = new Promise((resolve) => socket.once('close', resolve))
        return Promise.race([gone, pipeline.close(socket).then(() => this.end(socket))])
      }),
    )
    // Not before: Node drops connections on which an answer has ended and is still on its way.
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    // Handshakes that are not done.
    this.destroyAll()
    await closed
  }

  /** Drops every connection. */
  destroyAll(): void {
    for (const socket of this.secured) socket.destroy()
    for (const socket of this.accepted) socket.destroy()
  }

  private accept(socket: Socket): void {
    const leave = this.isStopping ? undefined : this.options.connections.enter(socket.remoteAddress ?? '')
    if (leave === undefined) {
      // An answer would need the handshake that shall be saved.
      socket.destroy()
      return
    }
    this.accepted.add(socket)
    socket.on('close', () => {
      this.accepted.delete(socket)
      leave()
    })
  }

  private secure(socket: Socket): void {
    // What it asks for would be done, and the connection dropped before the answer.
    if (this.isStopping) {
      // A request may have come with the end of the handshake.
      void this.options.pipeline.close(socket)
      socket.destroy()
      return
    }
    this.options.strict.add(socket)
    this.secured.add(socket)
    socket.on('close', () => this.secured.delete(socket))
  }

  /** Nothing has come or gone for a while: that is the client's doing, unless it waits for an answer. */
  private idle(socket: Socket): void {
    const isAnswering = !this.options.pipeline.isIdle(socket) && socket.writableLength === 0
    if (isAnswering) socket.setTimeout(this.options.timeouts.writeStallMs)
    else socket.destroy()
  }

  private clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // Node says so again for everything that still comes in.
    if (this.refused.has(socket)) return
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isLate && this.options.pipeline.isStreaming(socket)) return
    if (isLate && this.options.pipeline.isHeldBack(socket)) this.extendTime(error, socket)
    else if (error.code === 'ECONNRESET' || !socket.writable || (isLate && socket.bytesRead === 0))
      socket.destroy()
    else this.refuse(socket, malformedRequest(error, this.options.limits), error.code)
  }

  /** Gives a request that was not read for a while the whole time again; Node says only once that one is late. */
  private extendTime(error: Error, socket: Socket): void {
    const isLate = this.options.pipeline.lateness(socket)
    setTimeout(() => isLate() && this.clientError(error, socket), this.options.timeouts.requestMs).unref()
  }

  /**
   * Ends a connection with a refusal, behind the answers that are owed.
   * @param code Node's for it, where the refusal was made from that
   */
  private refuse(socket: Socket, reason: AppError, code?: string): void {
    this.refused.add(socket)
    const { ids, limits, log, pipeline, strict } = this.options
    // The client is told what it has sent, with the documents' contents in it; the log isn't.
    const about = code === undefined ? reason : malformedRequest({ code }, limits)
    const isAsked = pipeline.refuse(socket, reason)
    void pipeline.finish(socket).then(() => {
      if (socket.destroyed) return
      const isToTell = isAsked && !pipeline.hasEnded(socket)
      const requestId = ids.next()
      if (isToTell)
        log.info(`a request is refused: ${about.message}`, { id: requestId, address: addressOf(socket) })
      void this.end(socket, isToTell ? refusalText(reason, { requestId, isStrict: strict.has(socket) }) : '')
    })
  }

  /**
   * Ends our side of a connection, and the whole soon after: to close it at once while the client is still sending would
   * reset it under the last answer (RFC 9112, section 9.6).
   */
  private end(socket: Socket, lastWords = ''): Promise<void> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve()
      const timer = setTimeout(() => socket.destroy(), this.options.timeouts.lingerMs)
      socket.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      socket.end(lastWords)
    })
  }
}

function createHttpsServer({ tls, names, limits, timeouts }: ListenerOptions): Server {
  try {
    const server = createServer({
      ...secureContext(tls),
      SNICallback: names.SNICallback,
      handshakeTimeout: timeouts.handshakeMs,
      maxHeaderSize: limits.urlBytes + HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // A request without Host gets an answer of ours.
      requireHostHeader: false,
      // From Node.js 25 on; older ones pass it over.
      optimizeEmptyRequests: true,
      noDelay: true,
      ALPNProtocols: ['http/1.1', 'http/1.0'],
    })
    server.maxHeadersCount = MOST_HEADERS
    return server
  } catch (error) {
    throw unusableCertificate(error)
  }
}
