import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { malformedRequest } from './malformed-request.ts'
import { refuseSocket } from './refuse-socket.ts'
import type { RequestLines } from './request-lines.ts'
import type { HttpTimeouts } from './timeouts.ts'

/** A server's private key and certificate chain, in PEM. */
export interface TlsIdentity {
  readonly key: string | Buffer
  readonly cert: string | Buffer
}

export interface TlsListenerOptions {
  readonly tls: TlsIdentity
  readonly limits: Limits
  readonly timeouts: HttpTimeouts
  /** The requests that are being answered. */
  readonly lines: RequestLines
  readonly logFault: (message: string, error: unknown) => void
}

/** Room for the headers beside a URL of the greatest length; Node counts both together. */
const HEADER_BYTES = 32 * 1024
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
  private stopping = false

  /** @throws AppError `invalid_certificate` */
  constructor(options: TlsListenerOptions) {
    this.options = options
    this.server = createHttpsServer(options)
    const { lines } = options
    this.server.on('request', (request, response) => lines.take(request, response, false))
    this.server.on('checkContinue', (request, response) => lines.take(request, response, true))
    // Any other expectation is passed over (RFC 9110, section 10.1.1).
    this.server.on('checkExpectation', (request, response) => lines.take(request, response, false))
    this.server.on('connect', (_, socket: Socket) => this.refuse(socket, connectRefused()))
    this.server.on('secureConnection', (socket) => this.secure(socket))
    this.server.on('clientError', (error, socket) => this.clientError(error, socket as Socket))
    // Whoever connects is let through to TLS only after the first byte was seen.
    const [startTls] = this.server.listeners('connection')
    this.server.removeAllListeners('connection')
    this.server.on('connection', (socket) => this.accept(socket, () => startTls!.call(this.server, socket)))
  }

  /** @throws the errors of `net.Server.listen`, with their `code` */
  listen(options: { readonly host?: string; readonly port: number }): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen({ ...options, backlog: 1024 }, () => {
        this.server.off('error', reject)
        // Too many open files, for instance: the next client may have more luck.
        this.server.on('error', (error) => this.options.logFault('a connection was not accepted', error))
        resolve(this.server.address() as AddressInfo)
      })
    })
  }

  /** Accepts nothing new and drops the connections that no request is open on; resolves when all are gone. */
  stop(): Promise<void> {
    this.stopping = true
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    for (const socket of this.secured) if (!this.options.lines.isBusy(socket)) socket.destroy()
    return closed
  }

  /** Drops every connection. */
  destroyAll(): void {
    for (const socket of this.secured) socket.destroy()
    for (const socket of this.accepted) socket.destroy()
  }

  private accept(socket: Socket, startTls: () => void): void {
    this.accepted.add(socket)
    socket.on('close', () => this.accepted.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.setTimeout(this.options.timeouts.handshakeMs, () => socket.destroy())
    socket.once('readable', () => {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) {
        // The client went away without a word.
        socket.destroy()
        return
      }
      socket.setTimeout(0)
      socket.removeAllListeners('timeout')
      if (isLetter(chunk[0]!)) {
        this.refuse(socket, plainHttpRefused())
        return
      }
      socket.unshift(chunk)
      startTls()
    })
  }

  private secure(socket: Socket): void {
    if (this.stopping) {
      socket.destroy()
      return
    }
    this.secured.add(socket)
    socket.on('close', () => this.secured.delete(socket))
  }

  private clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    // Node says so again for everything that still comes in.
    if (this.refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    this.refuse(socket, malformedRequest(error, this.options.limits))
  }

  /** An answer that is still owed comes first, for it belongs to an earlier request. */
  private refuse(socket: Socket, reason: AppError): void {
    this.refused.add(socket)
    const { lingerMs } = this.options.timeouts
    const answered = this.options.lines.answered(socket)
    if (answered === undefined) refuseSocket(socket, reason, lingerMs)
    else answered.then(() => refuseSocket(socket, reason, lingerMs))
  }
}

function createHttpsServer({ tls, limits, timeouts }: TlsListenerOptions): Server {
  try {
    return createServer({
      key: tls.key,
      cert: tls.cert,
      minVersion: 'TLSv1.2',
      handshakeTimeout: timeouts.handshakeMs,
      maxHeaderSize: limits.urlBytes + HEADER_BYTES,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // A request without Host gets an answer of ours.
      requireHostHeader: false,
      noDelay: true,
    })
  } catch (error) {
    throw new AppError('invalid_certificate', 'the TLS certificate and key cannot be used together', {
      cause: error,
    })
  }
}

/** HTTP begins with a method's name, TLS with the byte 22. */
function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function plainHttpRefused(): AppError {
  return new AppError(
    'invalid_request',
    'only HTTPS is served here; use an address that begins with https://',
  )
}

function connectRefused(): AppError {
  return new AppError('invalid_request', 'this server is no proxy; CONNECT is not supported')
}
