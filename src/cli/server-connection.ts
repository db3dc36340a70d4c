import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { COMMAND_USER_HEADER } from '../domain/command-user.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../errors.ts'

export interface ServerRequest {
  readonly method: string
  /** With its query, escaped as in a URL: `/_/api/apps/shop/…`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** What its reading throws, the request throws. */
  readonly body?: Readable | Uint8Array | string
}

/** What a server that lives answers a probe within, in milliseconds. */
const PROBE_MS = 10_000
const REFUSED: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** A way to a server. */
export interface ServerWay {
  readonly agent: Agent
  /** Of every request. */
  readonly headers: Readonly<Record<string, string>>
  begin(request: {
    readonly agent: Agent
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
  }): ClientRequest
  /** What an error of a connection says, that was never made; undefined of one that broke off. */
  problemOf?(error: unknown): AppError | undefined
}

/** HTTP with a server, on one connection, so that one that is there for commands alone is for as long as it is open. */
export class ServerConnection {
  private readonly way: ServerWay

  constructor(way: ServerWay) {
    this.way = way
  }

  /**
   * Connects by the socket in the data folder; undefined where nobody listens, and where nobody is about to any more.
   * @param where with the name of the user who runs the command, and how long a server may take that lives
   * @throws AppError `data_folder_in_use` where a server is there and doesn't answer, `data_folder_unusable`
   */
  static async open(where: {
    readonly socketPath: string
    readonly user: string
    readonly probeMs?: number
  }): Promise<ServerConnection | undefined> {
    const connection = new ServerConnection(socketWay(where))
    try {
      const probe = connection.send({ method: 'GET', path: '/_/health/live' })
      const isAlive = await Promise.race([
        probe.then(() => true),
        wait(where.probeMs ?? PROBE_MS, false, { ref: false }),
      ])
      if (!isAlive) throw notAnswering(where.socketPath)
      const answer = await probe
      answer.resume()
      return connection
    } catch (error) {
      connection.close()
      if (error instanceof AppError) throw error
      if (REFUSED.has((error as NodeJS.ErrnoException).code)) return undefined
      throw unreachable(where.socketPath, error)
    }
  }

  /**
   * Sends a request, and answers with what comes back when its head is there.
   * @throws AppError the refusal that came back; `store_unavailable` and, of what may have changed something,
   * `outcome_unknown`, where the connection broke; what reading the body throws
   */
  async request(asked: ServerRequest): Promise<IncomingMessage> {
    let answer: IncomingMessage
    try {
      answer = await this.send(asked)
    } catch (error) {
      if (error instanceof AppError) throw error
      throw this.way.problemOf?.(error) ?? brokenOff(asked.method, error)
    }
    // No redirect is followed: the token is for that server alone.
    if (answer.statusCode! < 300) return answer
    // It may have come before all was sent.
    if (asked.body instanceof Readable) asked.body.destroy()
    throw refusalOf(await text(answer), answer.statusCode!)
  }

  /** The same for an answer of JSON. @throws AppError as `request` does */
  async json(asked: ServerRequest): Promise<unknown> {
    const answer = await this.request(asked)
    try {
      return JSON.parse(await text(answer))
    } catch (error) {
      throw brokenOff(asked.method, error)
    }
  }

  close(): void {
    this.way.agent.destroy()
  }

  private send({ method, path, headers, body }: ServerRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { agent, headers: ofAll } = this.way
      const sent = this.way.begin({ agent, method, path, headers: { ...headers, ...ofAll } })
      sent.once('response', resolve)
      // The first of them: each brings the others about. It counts where no answer has come before it.
      let problem: unknown
      const note = (error: unknown): void => {
        problem ??= error
      }
      sent.on('error', note)
      sent.once('close', () => reject(problem ?? new Error('the connection was closed')))
      if (body instanceof Readable) {
        body.once('error', note)
        pipeline(body, sent).catch(note)
      } else sent.end(body)
    })
  }
}

function socketWay({ socketPath, user }: { socketPath: string; user: string }): ServerWay {
  return {
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    headers: { [COMMAND_USER_HEADER]: encodeURIComponent(user) },
    begin: (request) => httpRequest({ ...request, socketPath }),
  }
}

/** The bytes of an answer, all of them. @throws AppError `store_unavailable` where it was broken off */
export async function* bytesOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw brokenOff('GET', error)
    })
    if (next.done) return
    yield next.value
  }
}

/** What is thrown where the connection ends in the middle of an answer. */
function brokenOff(method: string, cause: unknown): AppError {
  if (method === 'GET')
    return new AppError(
      'store_unavailable',
      'the server broke off, and what has come is not the whole; its log says why',
      {
        cause,
      },
    )
  return new AppError(
    'outcome_unknown',
    'the server broke off, and it is not known whether this was done; look before trying again',
    { cause },
  )
}

/** An error as the server tells it, which is for whoever runs the command. */
function refusalOf(body: string, status: number): AppError {
  try {
    const { code, message } = JSON.parse(body) as { readonly code: ErrorCode; readonly message: string }
    if (ERROR_CODES.includes(code)) return new AppError(code, message)
  } catch {
    // Something else than this server has answered.
  }
  return new AppError('store_unavailable', `the server answered with status ${status} and no reason`)
}

function notAnswering(socketPath: string): AppError {
  return new AppError(
    'data_folder_in_use',
    `a server has this data folder, and it does not answer at ${socketPath}; look at its log, or start it anew`,
  )
}

function unreachable(socketPath: string, cause: unknown): AppError {
  const message = `the server can't be reached at ${socketPath}; run this as the user that the data folder belongs to`
  return new AppError('data_folder_unusable', message, { cause })
}
