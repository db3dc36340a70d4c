import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Conditions } from '../../domain/precondition.ts'
import type { Principal } from '../../domain/principal.ts'
import { AppError } from '../../errors.ts'
import type { Body, OperationContext, WriteReturn } from '../../operations/context.ts'
import type { Reply } from '../response/reply.ts'
import { readConditions } from './conditions.ts'
import { declaredLength, readBody } from './receive-body.ts'
import { stateOf } from './request-state.ts'
import type { QueryParameters } from './request-target.ts'
import { queryParameters } from './request-target.ts'

const RETURN_MINIMAL = preference('return', 'minimal')
const COUNT_EXACT = preference('count', 'exact')

/** What a route answers. */
export type Handler = (request: RequestContext) => Reply | Promise<Reply>

export interface RequestContextParts {
  readonly context: OperationContext
  readonly principal: Principal
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The decoded parts of the path. */
  readonly path: readonly string[]
  /** The query string as it came. */
  readonly query: string
  readonly expectsContinue: boolean
}

/** One authenticated request on its way through a route. */
export class RequestContext {
  readonly context: OperationContext
  readonly principal: Principal
  readonly message: IncomingMessage
  private readonly parts: RequestContextParts

  constructor(parts: RequestContextParts) {
    this.context = parts.context
    this.principal = parts.principal
    this.message = parts.request
    this.parts = parts
  }

  /** The decoded parts of the path. */
  get path(): readonly string[] {
    return this.parts.path
  }

  /** The parts of `/apps/{app}/collections/{collection}/{id}`, as far as the path has them. */
  get app(): string {
    return this.parts.path[1]!
  }

  get collection(): string {
    return this.parts.path[3]!
  }

  get id(): string {
    return this.parts.path[4]!
  }

  /** @throws AppError `invalid_parameter` */
  parameters(): QueryParameters {
    return queryParameters(this.parts.query)
  }

  /** @throws as `readBody` does */
  body(): Promise<Body> {
    const { context, request, response, expectsContinue } = this.parts
    return readBody(request, response, { bodyBytes: context.limits.bodyBytes, expectsContinue })
  }

  /**
   * Waits for a body that a write has no use for, as some clients send one: what is wrong with it is refused, and what is
   * refused must not have been done.
   * @throws as `readBody` does
   */
  async unwantedBody(): Promise<void> {
    if (declaredLength(this.message) !== 0) await this.body()
  }

  /** What a write should return (RFC 7240, section 4.2). */
  returning(): WriteReturn {
    return this.prefers(RETURN_MINIMAL) ? 'ids' : 'documents'
  }

  /**
   * What a write of one document depends on.
   * @throws AppError `invalid_request`
   */
  conditions(): Conditions | undefined {
    return readConditions(this.message.headers)
  }

  /**
   * For a write to what a query finds.
   * @throws AppError `invalid_request` where it comes with a condition: to carry it out all the same would overwrite what
   * its sender means to keep
   */
  refuseConditions(): void {
    if (readConditions(this.message.headers) === undefined) return
    throw new AppError(
      'invalid_request',
      'If-Match and If-None-Match are about one document; write to each by its _id, or say in q what it has to be like',
    )
  }

  /** Whether a list should tell how many documents match in all (as PostgREST does by `Prefer: count=exact`). */
  wantsCount(): boolean {
    return this.prefers(COUNT_EXACT)
  }

  /** Notes for what is counted that the answer has so many documents; a function is asked when it was sent. */
  noteRead(documents: number | (() => number)): void {
    stateOf(this.message).readDocuments = documents
  }

  /** Notes how many documents were saved, changed or deleted. */
  noteWritten(documents: number): void {
    stateOf(this.message).writtenDocuments = documents
  }

  /** Notes that it asks for a number of documents and for none of them. */
  noteCount(): void {
    stateOf(this.message).operation = 'count'
  }

  isCancelled(): boolean {
    return this.message.socket.destroyed
  }

  private prefers(wish: RegExp): boolean {
    const { prefer } = this.message.headers
    // Node joins repeated headers of this name into one text.
    return typeof prefer === 'string' && wish.test(prefer)
  }
}

/** RFC 7240, section 2. */
function preference(name: string, value: string): RegExp {
  return new RegExp(String.raw`(?:^|[,;])\s*${name}\s*=\s*"?${value}"?\s*(?:$|[,;])`, 'i')
}
