import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../../domain/principal.ts'
import { AppError } from '../../errors.ts'
import type { OperationContext } from '../../operations/context.ts'
import { isPreflight, preflightHeaders } from '../response/cors.ts'
import type { EncodedBodyCache } from '../response/encoded-body-cache.ts'
import { errorPage } from '../response/error-page.ts'
import { errorReply, isForTheLog } from '../response/error-reply.ts'
import type { Reply } from '../response/reply.ts'
import { sendReply } from '../response/reply.ts'
import { tokenReply } from '../routes/credentials.ts'
import { probeReply } from '../routes/health.ts'
import { isMetricsPath, type Metrics, metricsReply } from '../routes/metrics.ts'
import type { AccessGuard } from './access-guard.ts'
import { ClientGone, declaredLength } from './receive-body.ts'
import { noteTarget, noteToken } from './request-facts.ts'
import { stateOf } from './request-state.ts'
import { authorityOf, pathParts, splitTarget } from './request-target.ts'
import { routeRequest } from './route-request.ts'
import { visitOf } from './visit-of.ts'

/** Answers what is asked under `/_`, where no API key opens anything. */
export type HandleDashboard = (asked: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: string
  readonly expectsContinue: boolean
}) => Promise<Reply>

/** What a host that is no API's and no dashboard's has to answer. */
export interface Site {
  /** The slug of the app that it shows; nothing where it shows none. */
  readonly name: string
  /** The app's id, likewise. */
  readonly app: string
  /** Whether it shows what is not published yet. */
  readonly isPreview: boolean
  /** @param asked with the path and the query as they came */
  handle(asked: {
    readonly request: IncomingMessage
    readonly path: string
    readonly query: string
  }): Reply | Promise<Reply>
}

/** Which site a host with its port is for; undefined where it is the server's own. */
export type FindSite = (authority: string) => Site | undefined

export interface RequestHandlerOptions {
  readonly context: OperationContext
  /** Without it nothing is answered but what is under `/_`. */
  readonly guard?: AccessGuard
  /** Without it nothing but probes and metrics is answered there. */
  readonly dashboard?: HandleDashboard | undefined
  /** Without it every host is the server's own. */
  readonly findSite?: FindSite | undefined
  /** Without it there is nothing at their path. */
  readonly metrics?: Metrics | undefined
  /** Writes an unexpected failure to the log. */
  readonly logFault: (message: string, error: unknown, requestId: string) => void
  /** After which a connection ends whose client takes nothing of an answer. */
  readonly writeStallMs: number
  readonly lingerMs: number
  /** Gives answers their entity tags and content codings. */
  readonly bodies: EncodedBodyCache
  readonly isStopping: () => boolean
  /** Whether requests make sense at this moment, for those who ask whom to send them to. */
  readonly isReady: () => boolean
}

/** Length from which on an answer counts for the budget of memory. */
const COUNTED_LENGTH = 16 * 1024
/** What is made ahead of what is sent of an answer in chunks. */
const PIECES_LENGTH = 512 * 1024

const TOKEN_PATH = '/create-token/'

/** Answers requests: who asks, what they ask for, what comes of it. */
export class RequestHandler {
  private readonly options: RequestHandlerOptions

  constructor(options: RequestHandlerOptions) {
    this.options = options
  }

  /**
   * Answers at once where nothing has to be waited for. Never throws nor rejects: what goes wrong becomes an answer, or
   * ends the connection.
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): undefined | Promise<undefined> {
    let reply: Reply | Promise<Reply>
    try {
      reply = this.answer(request, response, expectsContinue)
    } catch (error) {
      reply = this.refusal(request, error)
    }
    if (!(reply instanceof Promise)) return this.send(request, response, reply, expectsContinue)
    return reply.then(
      (made) => this.send(request, response, made, expectsContinue),
      (error) => {
        if (error instanceof ClientGone) return undefined
        return this.send(request, response, this.refusal(request, error), expectsContinue)
      },
    )
  }

  private refusal(request: IncomingMessage, error: unknown): Reply {
    if (isForTheLog(error))
      this.options.logFault(`a ${request.method} request failed`, error, stateOf(request).id)
    const reply = errorReply(error)
    return stateOf(request).site === undefined ? reply : errorPage(request, reply)
  }

  private send(
    request: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    expectsContinue: boolean,
  ): undefined | Promise<undefined> {
    const { isStopping, bodies, writeStallMs, lingerMs } = this.options
    const isCutShort = this.isCutShort(request, expectsContinue)
    const brokeOff = (error: unknown): undefined => {
      // A file that is not whole is told of nowhere else: its status was sent before.
      const isLostFile = reply.file !== undefined && stateOf(request).isAbandoned === false
      // What is not answered would wait for ever.
      response.destroy()
      if (isForTheLog(error) || isLostFile)
        this.options.logFault(`an answer to ${request.method} broke off`, error, stateOf(request).id)
    }
    try {
      const held = this.heldReply(request, reply)
      this.note(request, held)
      const sending = sendReply(response, held, {
        close: isCutShort || isStopping(),
        bodies,
        writeStallMs,
        lingerMs,
      })
      return sending?.catch(brokeOff)
    } catch (error) {
      return brokeOff(error)
    }
  }

  /** What is counted of an answer beside what every answer has. */
  private note(request: IncomingMessage, { status, errorCode, file }: Reply): void {
    const state = stateOf(request)
    if (errorCode !== undefined) state.errorCode = errorCode
    const { findSite } = this.options
    const isPage = status === 200 && request.method === 'GET' && file?.type.startsWith('text/html') === true
    if (state.site === undefined || !isPage) return
    const visit = visitOf(request, findSite!)
    if (visit !== undefined) state.visit = visit
  }

  /** An answer whose memory was taken from the budget, where it is long; or that there is no room for it. */
  private heldReply(request: IncomingMessage, reply: Reply): Reply {
    const { body, rest } = reply
    if (body.length < COUNTED_LENGTH && rest === undefined) return reply
    const state = stateOf(request)
    try {
      state.bodyMemory.takeAnswer(state, body.length + (rest === undefined ? 0 : PIECES_LENGTH))
      return reply
    } catch (error) {
      if (rest !== undefined) void discardRest(rest)
      return this.refusal(request, error)
    }
  }

  /** Whether so much of a request may still come that its connection is not worth keeping. */
  private isCutShort(request: IncomingMessage, expectsContinue: boolean): boolean {
    if (request.complete) return false
    return expectsContinue || !(declaredLength(request) <= this.options.context.limits.bodyBytes)
  }

  private answer(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): Reply | Promise<Reply> {
    const { context, guard, dashboard } = this.options
    const target = request.url!
    const site = this.siteOf(request, target)
    if (target.length > context.limits.urlBytes)
      throw new AppError('url_too_long', `the URL may have at most ${context.limits.urlBytes} bytes`)
    const { path, query } = splitTarget(target)
    if (site !== undefined) return site.handle({ request, path, query })
    if (isDashboardPath(path)) {
      refuseMissingHost(request)
      const probe = probeReply(path, request.method!, this.options.isReady)
      if (probe !== undefined) return probe
      if (isMetricsPath(path)) return this.metrics(request, path)
      stateOf(request).isDashboard = true
      if (dashboard === undefined) throw unknownPath(path)
      return dashboard({ request, response, path, query, expectsContinue })
    }
    if (guard === undefined) throw unknownPath(path)
    if (isPreflight(request)) return { status: 204, body: '', headers: preflightHeaders(request) }
    refuseMissingHost(request)
    if (request.method === 'POST' && path.startsWith(TOKEN_PATH)) {
      const apiKey = tokenKey(path)
      if (apiKey !== undefined) {
        stateOf(request).operation = 'token'
        return guard.tokenFor(request, apiKey).then(({ token, principal }) => {
          noteToken(stateOf(request), principal, context.directory)
          return tokenReply(token)
        })
      }
    }
    const asking = guard.principalOf(request, query)
    const route = (principal: Principal): Reply | Promise<Reply> => {
      const parts = pathParts(path)
      const asked = { principal, parts, method: request.method! }
      noteTarget(stateOf(request), asked, context.directory)
      guard.requireAdmission(principal, request, parts)
      const reply = routeRequest({
        context,
        principal,
        request,
        response,
        path: parts,
        query,
        expectsContinue,
      })
      if (reply === undefined) throw unknownPath(path)
      return reply
    }
    return asking instanceof Promise ? asking.then(route) : route(asking)
  }

  private metrics(request: IncomingMessage, path: string): Reply | Promise<Reply> {
    const reply = metricsReply(request, this.options.metrics)
    if (reply === undefined) throw unknownPath(path)
    return reply
  }

  /** A host answers for one thing, so that it is looked at before all else. */
  private siteOf(request: IncomingMessage, target: string): Site | undefined {
    const { findSite } = this.options
    if (findSite === undefined) return undefined
    const authority = authorityOf(target, request.headers.host)
    const site = authority === undefined ? undefined : findSite(authority)
    if (site !== undefined) Object.assign(stateOf(request), { site: site.name, app: site.app })
    return site
  }
}

/** Tells whoever makes the rest of an answer to stop; before it has begun it can't be told. */
async function discardRest(rest: NonNullable<Reply['rest']>): Promise<void> {
  try {
    for await (const _ of rest) return
  } catch {
    // Nobody waits for it.
  }
}

/** The dashboard's side, with a sign-in of its own: no API key is looked at there. */
function isDashboardPath(path: string): boolean {
  return path.startsWith('/_') && (path.length === 2 || path[2] === '/')
}

/** The key in `/create-token/<api_key>`, undefined where the path is another one. */
function tokenKey(path: string): string | undefined {
  const [, key, afterSlash = '', ...others] = pathParts(path)
  return key !== '' && afterSlash === '' && others.length === 0 ? key : undefined
}

/** RFC 9112, section 3.2. */
function refuseMissingHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0')
    throw new AppError('invalid_request', 'the request needs the header Host')
}

function unknownPath(path: string): AppError {
  const hint = path.startsWith('/create-token')
    ? 'a token is made by POST /create-token/{api_key}, with the key in the path'
    : 'documents are at /apps/{app}/collections/{collection}'
  return new AppError('unknown_path', `there is nothing at this path; ${hint}`)
}
