import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'

/** After which a server that doesn't answer fails a test rather than hold it up. */
const ANSWER_MS = 25_000
const HOST = '127.0.0.1'

export interface ClientOptions {
  readonly port: number
  /** Sent with every request; without it requests have none. */
  readonly apiKey?: string
  readonly ca: string
  /** How many connections are open at most. */
  readonly connections?: number
  /** Where its connections come from; without it the system chooses. */
  readonly localAddress?: string
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
}

/** A client of one server, over real TLS sockets. */
export class Client {
  private readonly options: ClientOptions
  private readonly agent: Agent

  constructor(options: ClientOptions) {
    this.options = options
    this.agent = new Agent({ keepAlive: true, ca: options.ca, maxSockets: options.connections ?? 32 })
  }

  /** Sends one request with the API key; the path goes out as it is written. Rejects where no answer comes. */
  send(method: string, path: string, { headers = {}, body }: SendOptions = {}): Promise<Answer> {
    const { port, apiKey, localAddress } = this.options
    // Node sends the body of a GET or DELETE without saying where it ends.
    const isFramed = body === undefined || 'Transfer-Encoding' in headers
    const length = isFramed ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const all = { ...(apiKey !== undefined && { 'X-Service-API-Key': apiKey }), ...length, ...headers }
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...{ agent: this.agent, host: HOST, localAddress, port, method, path, headers: all },
          timeout: ANSWER_MS,
          // Whatever name the request is for, the certificate is for this machine.
          ...('Host' in headers && { servername: 'localhost' }),
        },
        (incoming) => readAnswer(incoming).then(resolve, reject),
      )
      outgoing.on('timeout', () =>
        outgoing.destroy(new Error(`${method} ${path.slice(0, 100)} got no answer`)),
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** A TLS connection without a client library. */
  connect(): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: HOST, port: this.options.port, ca: this.options.ca }, () => {
        socket.off('error', reject)
        socket.on('error', () => {})
        resolve(socket)
      })
      socket.once('error', reject)
      socket.setTimeout(ANSWER_MS, () => socket.destroy())
    })
  }

  /** Sends bytes as they are; answers everything that comes back until the server ends the connection. */
  async raw(bytes: string | Buffer): Promise<string> {
    const socket = await this.connect()
    const text = textUntilEnd(socket)
    socket.write(bytes)
    return text
  }

  /** A request's text with the key, for `raw` and `connect`; the body's length is declared unless headers say it. */
  written(method: string, path: string, headers: readonly string[] = [], body = ''): string {
    const all = [`Host: ${HOST}`, `X-Service-API-Key: ${this.options.apiKey}`, ...headers]
    const isFramed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
    if (body !== '' && !isFramed) all.push(`Content-Length: ${Buffer.byteLength(body)}`)
    return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
  }

  close(): void {
    this.agent.destroy()
  }
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return { status: incoming.statusCode!, headers: incoming.headers, text: bytes.toString(), bytes }
}

function textUntilEnd(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(text))
  })
}
