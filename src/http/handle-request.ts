import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../errors.ts'
import type { OperationContext } from '../operations/context.ts'
import { Call } from './call.ts'
import { isPreflight, preflightHeaders } from './cors.ts'
import type { Door } from './door.ts'
import { errorReply, isForTheLog } from './error-reply.ts'
import { ClientGone, declaredLength } from './read-body.ts'
import type { Reply } from './reply.ts'
import { sendReply } from './reply.ts'
import { pathParts, splitTarget } from './request-target.ts'
import { traceOf } from './request-trace.ts'
import type { Resource } from './router.ts'
import { findResource } from './router.ts'
import { tokenReply } from './routes/credentials.ts'
import type { HttpTimeouts } from './timeouts.ts'

export interface RequestHandlerOptions {
  readonly context: OperationContext
  readonly door: Door
  /** Writes an unexpected failure to the log. */
  readonly logFault: (message: string, error: unknown, requestId: string) => void
  readonly timeouts: HttpTimeouts
  readonly isStopping: () => boolean
}

const TOKEN_PATH = '/create-token/'

/** Answers requests: who asks, what they ask for, what comes of it. */
export class RequestHandler {
  private readonly options: RequestHandlerOptions
  private readonly preflight: Reply

  constructor(options: RequestHandlerOptions) {
    const keyHeaders = options.context.serviceNames.map((name) => `X-${name}-API-Key`)
    this.options = options
    this.preflight = { status: 204, body: '', headers: preflightHeaders(keyHeaders) }
  }

  /** Never rejects: what goes wrong becomes an answer, or ends the connection. */
  async handle(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): Promise<void> {
    let reply: Reply
    try {
      reply = await this.answer(request, response, expectsContinue)
    } catch (error) {
      if (error instanceof ClientGone) return
      if (isForTheLog(error))
        this.options.logFault(`a ${request.method} request failed`, error, traceOf(request).id)
      reply = errorReply(error)
    }
    try {
      await this.send(request, response, reply, expectsContinue)
    } catch (error) {
      if (isForTheLog(error))
        this.options.logFault(`an answer to ${request.method} broke off`, error, traceOf(request).id)
    }
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    expectsContinue: boolean,
  ): Promise<void> {
    const { timeouts, isStopping } = this.options
    const isCutShort = this.isCutShort(request, expectsContinue)
    const close = isCutShort || isStopping()
    await sendReply(response, reply, {
      close,
      lingerMs: isCutShort ? timeouts.lingerMs : 0,
      stalledAnswerMs: timeouts.stalledAnswerMs,
    })
    // An answer that began before the server was told to stop promised to keep the connection.
    if (!close && isStopping()) request.socket.end()
  }

  /** Whether so much of a request may still come that its connection is not worth keeping. */
  private isCutShort(request: IncomingMessage, expectsContinue: boolean): boolean {
    if (request.complete) return false
    return expectsContinue || !(declaredLength(request) <= this.options.context.limits.bodyBytes)
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): Promise<Reply> {
    const { context, door } = this.options
    const target = request.url!
    if (target.length > context.limits.urlBytes)
      throw new AppError('url_too_long', `the URL may have at most ${context.limits.urlBytes} bytes`)
    const { path, query } = splitTarget(target)
    if (isDashboardPath(path)) throw unknownPath()
    if (isPreflight(request)) return this.preflight
    refuseMissingHost(request)
    if (request.method === 'POST' && path.startsWith(TOKEN_PATH)) {
      const apiKey = tokenKey(path)
      if (apiKey !== undefined) return tokenReply(await door.tokenFor(request, apiKey))
    }
    const asking = door.enter(request, query)
    const principal = asking instanceof Promise ? await asking : asking
    const parts = pathParts(path)
    const resource = findResource(parts)
    if (resource === undefined) throw unknownPath()
    const handler = resource.methods.get(request.method!)
    if (handler === undefined) return methodNotAllowed(resource)
    return handler(new Call({ context, principal, request, response, path: parts, query, expectsContinue }))
  }
}

/** The dashboard's side, with a sign-in of its own: no API key is looked at there. */
function isDashboardPath(path: string): boolean {
  return path.startsWith('/_') && (path.length === 2 || path[2] === '/')
}

/** The key in `/create-token/<api_key>`, undefined where the path is another one. */
function tokenKey(path: string): string | undefined {
  const [, key, ...others] = pathParts(path)
  return key !== '' && others.length === 0 ? key : undefined
}

/** RFC 9112, section 3.2. */
function refuseMissingHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0')
    throw new AppError('invalid_request', 'the request needs the header Host')
}

function unknownPath(): AppError {
  return new AppError(
    'unknown_path',
    'there is nothing at this path; documents are at /apps/{app}/collections/{collection}',
  )
}

function methodNotAllowed({ allow }: Resource): Reply {
  const error = new AppError('method_not_allowed', `this path takes ${allow} and no other method`)
  return { ...errorReply(error), headers: ['Allow', allow] }
}
