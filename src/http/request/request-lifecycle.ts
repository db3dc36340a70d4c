import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CountRequests } from '../../analytics/request-facts.ts'
import type { AppError } from '../../errors.ts'
import type { OperationContext } from '../../operations/context.ts'
import type { Tracer } from '../../tracing/tracer.ts'
import type { HandleRequest } from '../connection/pipeline.ts'
import type { StrictTransport } from '../connection/strict-transport.ts'
import type { Log } from '../log/log.ts'
import { errorReply } from '../response/error-reply.ts'
import { sendReply } from '../response/reply.ts'
import type { BodyMemoryLimit } from './body-memory-limit.ts'
import type { ClientOf } from './client-address.ts'
import { headerFault } from './header-fault.ts'
import { overloaded } from './load-shedder.ts'
import { declaredLength, discardBody, hasUnreadBody } from './receive-body.ts'
import { requestFacts } from './request-facts.ts'
import type { RequestIds } from './request-id.ts'
import { beginSpan, endSpan } from './request-span.ts'
import { attachState, type RequestState, stateOf } from './request-state.ts'

export interface RequestLifecycleOptions {
  readonly handle: HandleRequest
  readonly ids: RequestIds
  readonly bodyMemory: BodyMemoryLimit
  /** Whether a request is turned away, for there is too much to do. */
  readonly isShed: (request: IncomingMessage) => boolean
  readonly log: Log
  /** Without it nothing is traced. */
  readonly tracer?: Tracer | undefined
  readonly clientOf: ClientOf
  readonly directory: OperationContext['directory']
  /** Without it nothing is counted. */
  readonly counts?: CountRequests | undefined
  readonly strict: Pick<StrictTransport, 'has'>
  /** After which a connection ends whose client takes nothing of an answer. */
  readonly writeStallMs: number
  readonly lingerMs: number
  /** Whether more requests may come on a connection while it is answered. */
  readonly mayPipeline: (socket: Socket) => boolean
}

/** RFC 9112, section 9.6. */
const CLOSE = /(?:^|[,\s])close(?:$|[,\s])/i

/** What every request passes through on its way in and out: it gets an id and a state, may be refused, and is logged. */
export class RequestLifecycle {
  private readonly options: RequestLifecycleOptions

  constructor(options: RequestLifecycleOptions) {
    this.options = options
  }

  /** Done at once where nothing has to be waited for; never throws nor rejects. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): undefined | Promise<undefined> {
    const { ids, bodyMemory, strict, tracer } = this.options
    const span = tracer && beginSpan(tracer, request)
    const state: RequestState = {
      id: ids.of(request.headers['x-request-id']),
      startedAt: performance.now(),
      readDocuments: 0,
      writtenDocuments: 0,
      requestBytes: 0,
      span,
      responseBytes: 0,
      isDashboard: false,
      heldBytes: 0,
      heldMemory: 0,
      bodyMemory,
      isStrict: strict.has(request.socket),
      closeAfter: endsConnection(request),
      mayPipeline: this.options.mayPipeline(request.socket),
    }
    attachState(request, state)
    const answering =
      span === undefined
        ? this.answer(request, response, state, expectsContinue)
        : tracer!.run(span, () => this.answer(request, response, state, expectsContinue))
    if (!(answering instanceof Promise)) return this.leave(request, response, state)
    // Node would keep it, chunk by chunk, while nobody reads it.
    if (isRead(request) && hasUnreadBody(request)) discardBody(request)
    return answering.then(() => this.leave(request, response, state))
  }

  private answer(
    request: IncomingMessage,
    response: ServerResponse,
    state: RequestState,
    expectsContinue: boolean,
  ): undefined | Promise<undefined> {
    const refusal = this.refusal(request, state)
    if (refusal !== undefined) return this.refuse(request, response, refusal)
    return this.options.handle(request, response, expectsContinue)
  }

  private leave(request: IncomingMessage, response: ServerResponse, state: RequestState): undefined {
    const { bodyMemory, log, clientOf, counts, tracer } = this.options
    bodyMemory.release(state)
    counts?.add(requestFacts(request, response, state, this.options))
    if (state.span !== undefined) endSpan(tracer!, state.span, { request, response, state })
    if (hasUnreadBody(request) && !request.socket.destroyed && !state.closeAfter) discardBody(request)
    if (!log.logsRequests) return
    state.address = clientOf(request).address
    log.request(request, response, state)
  }

  private refusal(request: IncomingMessage, state: RequestState): AppError | undefined {
    const fault = headerFault(request)
    if (fault !== undefined) {
      state.closeAfter = true
      return fault
    }
    return this.options.isShed(request) ? overloaded() : undefined
  }

  private async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: AppError,
  ): Promise<undefined> {
    try {
      const { writeStallMs, lingerMs } = this.options
      stateOf(request).errorCode = refusal.code
      await sendReply(response, errorReply(refusal), {
        close: declaredLength(request) !== 0,
        writeStallMs,
        lingerMs,
      })
    } catch (error) {
      response.destroy()
      this.options.log.fault('a refusal was not sent', error)
    }
  }
}

/**
 * Whether a request ends its connection: its client says so, or speaks HTTP/1.0, or wishes for another protocol, behind
 * which Node loses what comes.
 */
function endsConnection({ httpVersion, headers }: IncomingMessage): boolean {
  const { connection, upgrade } = headers
  if (httpVersion !== '1.1' || upgrade !== undefined) return true
  return connection !== undefined && CLOSE.test(connection)
}

/** Whether it is of a kind whose body means nothing (RFC 9110, section 9.3.1). */
function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}
