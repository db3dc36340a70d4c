import { AsyncLocalStorage } from 'node:async_hooks'
import type { TraceSettings } from '../domain/trace-settings.ts'
import type { Attributes, Span } from './span.ts'
import { newSpanId, newTraceId, parseTraceparent, type TraceParent } from './trace-context.ts'

/** A span that is under way. */
export interface OpenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  /** By `performance.now()`. */
  readonly startedAt: number
  /** What is added to that for milliseconds since the Unix epoch, the same for all of a trace. */
  readonly epochMs: number
}

interface SpanEnd {
  readonly name: string
  readonly attributes: Attributes
  readonly isFailed: boolean
}

export interface TracerOptions {
  readonly settings: Pick<TraceSettings, 'sampler' | 'takesParent'>
  /** Told of each span when it is over. */
  readonly add: (span: Span) => void
}

/** Digits of a trace's id that are random, whoever made it (W3C Trace Context, level 2): the last 56 bits. */
const RANDOM_DIGITS = 14

/** Makes the spans of requests, and of what is done for them. */
export class Tracer {
  private readonly options: TracerOptions
  private readonly current = new AsyncLocalStorage<OpenSpan>()

  constructor(options: TracerOptions) {
    this.options = options
  }

  /**
   * Begins the span of a request; undefined where its trace is not sampled.
   * @param traceparent the header of this name
   */
  begin(traceparent: string | string[] | undefined): OpenSpan | undefined {
    const parent = this.options.settings.takesParent ? parseTraceparent(traceparent) : undefined
    const traceId = parent?.traceId ?? newTraceId()
    if (!this.isSampled(traceId, parent)) return undefined
    const startedAt = performance.now()
    return {
      traceId,
      spanId: newSpanId(),
      parentId: parent?.spanId,
      startedAt,
      epochMs: Date.now() - startedAt,
    }
  }

  /** Does the work of a request, in which `within` makes spans below its span. */
  run<Result>(span: OpenSpan, work: () => Result): Result {
    return this.current.run(span, work)
  }

  /** Ends the span of a request. */
  end(span: OpenSpan, end: SpanEnd): void {
    this.options.add(spanOf(span, 'server', end))
  }

  /** Does a piece of the work of a request, with a span where the request has one; a failure is the span's, too. */
  within<Result>({ name, attributes }: Omit<SpanEnd, 'isFailed'>, work: () => Result): Result {
    const above = this.current.getStore()
    if (above === undefined) return work()
    const { traceId, spanId: parentId, epochMs } = above
    const span = { traceId, parentId, epochMs, spanId: newSpanId(), startedAt: performance.now() }
    const ended = (isFailed: boolean): void =>
      this.options.add(spanOf(span, 'internal', { name, attributes, isFailed }))
    let result: Result
    try {
      result = work()
    } catch (error) {
      ended(true)
      throw error
    }
    if (result instanceof Promise)
      result.then(
        () => ended(false),
        () => ended(true),
      )
    else ended(false)
    return result
  }

  private isSampled(traceId: string, parent: TraceParent | undefined): boolean {
    const { followsParent, share } = this.options.settings.sampler
    if (followsParent && parent !== undefined) return parent.isSampled
    const random = Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) / 16 ** RANDOM_DIGITS
    return random >= 1 - share
  }
}

function spanOf(
  { traceId, spanId, parentId, startedAt, epochMs }: OpenSpan,
  kind: Span['kind'],
  end: SpanEnd,
): Span {
  const times = { startedAt: startedAt + epochMs, endedAt: performance.now() + epochMs }
  return { traceId, spanId, parentId, kind, ...times, ...end }
}
