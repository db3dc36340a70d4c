import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Limits } from '../domain/limits.ts'
import { networkOf } from '../domain/network.ts'
import type { AppError } from '../errors.ts'
import { acceptFailures } from './accept-failures.ts'
import { addressOf } from './client.ts'
import { awaitHello } from './client-hello.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { Log } from './log.ts'
import { connectRefused, malformedRequest, plainHttpRefused } from './malformed-request.ts'
import { deferEnd, endsBy, endsByLines, neverPaused } from './node-sockets.ts'
import { Pace } from './pace.ts'
import { endGently, refuseSocket } from './refuse-socket.ts'
import type { RequestIds } from './request-id.ts'
import type { RequestLines } from './request-lines.ts'
import type { StrictTransport } from './strict-transport.ts'
import type { HttpTimeouts } from './timeouts.ts'
import {
  contextOf,
  forLocalhost,
  type NamedContexts,
  secureContext,
  type TlsIdentity,
  unusableCertificate,
} from './tls-identity.ts'
import { UnreadAnswers } from './unread-answers.ts'

export interface TlsListenerOptions {
  readonly tls: TlsIdentity
  readonly limits: Limits
  readonly timeouts: HttpTimeouts
  /** The requests that are being answered. */
  readonly lines: RequestLines
  readonly connections: ConnectionLimits
  readonly ids: RequestIds
  readonly log: Log
  readonly strict: StrictTransport
}

/** Room for the headers beside a URL of the greatest length; Node counts both together. */
const HEADER_BYTES = 32 * 1024
/** What Node lets through, so that memory is bounded; requests with more than are served get an answer of ours. */
const MOST_HEADERS = 1000
/** How often Node looks for requests that are over their time. */
const TIMEOUT_CHECK_MS = 2_000

/**
 * One listening socket that serves HTTPS and nothing else. Node's `https.Server` with two additions: who speaks plain
 * HTTP is told so, and every connection can be found again when the server stops.
 */
export class TlsListener {
  private readonly options: TlsListenerOptions
  private readonly server: Server
  /** Connections as they were accepted, and those of them whose TLS handshake is done. */
  private readonly accepted = new Set<Socket>()
  private readonly secured = new Set<Socket>()
  private readonly refused = new WeakSet<Socket>()
  /** Whose handshake is not done, by the client: Node doesn't say which socket a TLS socket is made of. */
  private readonly handshakes = new Map<string, { readonly socket: Socket; readonly timer: NodeJS.Timeout }>()
  private readonly pace = new Pace()
  private readonly unread: UnreadAnswers
  private readonly names: NamedContexts = {}
  private stopping = false

  /** @throws AppError `invalid_certificate` */
  constructor(options: TlsListenerOptions) {
    this.options = options
    this.unread = new UnreadAnswers(options.timeouts.stalledAnswerMs)
    this.server = createHttpsServer(options, this.names)
    const { lines } = options
    this.server.on('request', (request, response) => lines.take(request, response, false))
    this.server.on('checkContinue', (request, response) => lines.take(request, response, true))
    // Any other expectation is passed over (RFC 9110, section 10.1.1).
    this.server.on('checkExpectation', (request, response) => lines.take(request, response, false))
    this.server.on('connect', (_, socket: Socket) => {
      // Node has let go of the connection, so that no answer before this would go on.
      if (lines.isIdle(socket)) this.refuse(socket, connectRefused())
      else socket.destroy()
    })
    this.server.on('secureConnection', (socket) => this.secure(socket))
    this.server.on('tlsClientError', (error, socket) =>
      options.log.debug(`a TLS handshake failed: ${error.message}`, { address: addressOf(socket) }),
    )
    this.server.on('clientError', (error, socket) => this.clientError(error, socket as Socket))
    // Whoever connects is let through to TLS only after the first byte was seen.
    const [startTls] = this.server.listeners('connection')
    this.server.removeAllListeners('connection')
    this.server.on('connection', (socket) => this.accept(socket, () => startTls!.call(this.server, socket)))
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
   * Serves new connections with another certificate; those that are open keep theirs. That for `localhost` stays where
   * none is given; it can be replaced where there was one from the beginning.
   * @throws AppError `invalid_certificate`; then the old one stays
   */
  useCertificate(tls: TlsIdentity): void {
    try {
      const localhost = tls.localhost && contextOf(tls.localhost)
      this.server.setSecureContext(secureContext(tls))
      this.names.localhost = localhost ?? this.names.localhost
    } catch (error) {
      throw unusableCertificate(error)
    }
  }

  /** Accepts nothing new, and ends each connection when it has what it asked for; resolves when all are gone. */
  stop(): Promise<void> {
    this.stopping = true
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    void closed.then(() => this.unread.close())
    for (const { socket } of this.handshakes.values()) socket.destroy()
    for (const socket of this.secured) this.options.lines.close(socket)
    return closed
  }

  /** Drops every connection. */
  destroyAll(): void {
    for (const socket of this.secured) socket.destroy()
    for (const socket of this.accepted) socket.destroy()
  }

  private accept(socket: Socket, startTls: () => void): void {
    this.pace.arrive()
    const leave = this.options.connections.enter(socket.remoteAddress ?? '')
    if (leave === undefined) {
      // Before anything is computed for it; an answer would need the handshake that shall be saved.
      socket.destroy()
      return
    }
    this.accepted.add(socket)
    const client = peerName(socket)
    // One time for all of it, however the bytes trickle in.
    const timer = setTimeout(() => socket.destroy(), this.options.timeouts.handshakeMs)
    this.handshakes.set(client, { socket, timer })
    socket.on('close', () => {
      clearTimeout(timer)
      // Another one may have come from there since.
      if (this.handshakes.get(client)?.socket === socket) this.handshakes.delete(client)
      this.accepted.delete(socket)
      leave()
    })
    socket.on('error', () => socket.destroy())
    awaitHello(socket, {
      tls: () =>
        this.byTurns(socket, () => {
          if (!socket.destroyed) startTls()
        }),
      plainHttp: () => this.refuse(socket, plainHttpRefused()),
    })
  }

  private secure(socket: Socket): void {
    const client = peerName(socket)
    clearTimeout(this.handshakes.get(client)?.timer)
    this.handshakes.delete(client)
    if (this.stopping) {
      socket.destroy()
      return
    }
    this.secured.add(socket)
    this.options.strict.add(socket)
    socket.on('close', () => this.secured.delete(socket))
    this.unread.add(socket)
    neverPaused(socket)
    endsBy(socket, () => endGently(socket, this.options.timeouts.lingerMs))
    // What a client's going away sets off, with everything that it had under way, waits for its turn.
    deferEnd(socket, (end) => this.byTurns(socket, () => this.end(socket, end)))
  }

  /** A client that has said all it wants to may still wait for the answers; one that is gone is not waited for long. */
  private end(socket: Socket, end: () => void): void {
    if (socket.destroyed) return
    // Node has done with one that was refused, and may have given its parser to another.
    if (!this.refused.has(socket)) end()
    void this.options.lines.hurry(socket)
  }

  private byTurns(socket: Socket, work: () => void): void {
    this.pace.start(networkOf(socket.remoteAddress ?? ''), work)
  }

  private clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // Node says so again for everything that still comes in.
    if (this.refused.has(socket)) return
    // What comes behind the last answer is read for a moment, so that the client gets to read that.
    if (socket.writableEnded && error.code !== 'ECONNRESET') return
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isLate && this.options.lines.isHeldBack(socket)) {
      this.putOff(error, socket)
      return
    }
    if (error.code === 'ECONNRESET' || !socket.writable || (isLate && socket.bytesRead === 0)) {
      socket.destroy()
      return
    }
    this.refuse(socket, malformedRequest(error, this.options.limits))
  }

  /** Gives a request that was not read for a while the whole time again; Node says only once that one is late. */
  private putOff(error: Error, socket: Socket): void {
    const { lines, timeouts } = this.options
    const isLate = lines.lateness(socket)
    setTimeout(() => isLate() && this.clientError(error, socket), timeouts.requestMs).unref()
  }

  /** Ends a connection with a refusal, in its turn. */
  private refuse(socket: Socket, reason: AppError): void {
    this.refused.add(socket)
    const { ids, log, lines, strict, timeouts } = this.options
    lines.refuse(socket, () =>
      this.byTurns(socket, () => {
        const answer = { requestId: ids.next(), lingerMs: timeouts.lingerMs, isStrict: strict.has(socket) }
        log.info(`a request is refused: ${reason.message}`, {
          id: answer.requestId,
          address: addressOf(socket),
        })
        refuseSocket(socket, reason, answer)
      }),
    )
  }
}

function createHttpsServer({ tls, limits, timeouts }: TlsListenerOptions, names: NamedContexts): Server {
  try {
    const server = createServer({
      ...secureContext(tls),
      ...(tls.localhost !== undefined && forLocalhost(tls.localhost, names)),
      handshakeTimeout: timeouts.handshakeMs,
      maxHeaderSize: limits.urlBytes + HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // A request without Host gets an answer of ours.
      requireHostHeader: false,
      noDelay: true,
      ALPNProtocols: ['http/1.1', 'http/1.0'],
    })
    server.maxHeadersCount = MOST_HEADERS
    endsByLines(server)
    return server
  } catch (error) {
    throw unusableCertificate(error)
  }
}

/** The same for a connection and for the TLS above it; a client may use one port to several addresses of ours. */
function peerName({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}
