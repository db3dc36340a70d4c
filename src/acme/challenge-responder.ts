import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AcmeError } from './acme-error.ts'

const CHALLENGE_PATH = '/.well-known/acme-challenge/'
const TIMEOUT_MS = 5_000
const HEADER_BYTES = 8 * 1024
const CONNECTIONS = 64

/**
 * Answers an authority's validation over plain HTTP (RFC 8555, section 8.3), and nobody else: it is open while an
 * order is, and every other path is told that only HTTPS is served. It never redirects, for the public port may be
 * another than ours.
 */
export class ChallengeResponder {
  private readonly answers = new Map<string, string>()
  private readonly server: Server

  constructor() {
    this.server = createServer(
      {
        maxHeaderSize: HEADER_BYTES,
        headersTimeout: TIMEOUT_MS,
        requestTimeout: TIMEOUT_MS,
        connectionsCheckingInterval: TIMEOUT_MS,
        keepAlive: false,
      },
      (request, response) => this.answer(request, response),
    )
    this.server.maxConnections = CONNECTIONS
    this.server.timeout = TIMEOUT_MS
    this.server.on('clientError', (_, socket) => socket.destroy())
  }

  /** @throws AcmeError when the port can't be had */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port)))
      // Without a host it is every address of the machine, in IPv6 and IPv4.
      this.server.listen(port, () => {
        this.server.removeAllListeners('error')
        // Too many open files, for instance: the validation fails, and is tried again.
        this.server.on('error', () => {})
        resolve()
      })
    })
  }

  expect(token: string, keyAuthorization: string): void {
    this.answers.set(token, keyAuthorization)
  }

  close(): Promise<void> {
    this.answers.clear()
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', method } = request
    const token = url.startsWith(CHALLENGE_PATH) ? url.slice(CHALLENGE_PATH.length) : undefined
    const isRead = method === 'GET' || method === 'HEAD'
    const found = token === undefined || !isRead ? undefined : this.answers.get(token)
    if (found !== undefined) reply(response, 200, found, 'application/octet-stream')
    else if (token === undefined) reply(response, 400, 'only HTTPS is served here\n', 'text/plain')
    else reply(response, 404, 'no such challenge\n', 'text/plain')
  }
}

function reply(response: ServerResponse, status: number, text: string, type: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(text)
}

const PORT_PROBLEMS: Readonly<Record<string, string>> = Object.freeze({
  EADDRINUSE: 'another program uses it',
  EACCES: 'this user may not listen on it',
})

function portError(error: NodeJS.ErrnoException, port: number): AcmeError {
  const problem = PORT_PROBLEMS[error.code ?? ''] ?? error.message
  const hint = 'the authority has to reach this server there as port 80; see --acme-http-port'
  return new AcmeError(`can't listen on port ${port}: ${problem}; ${hint}`, { cause: error })
}
