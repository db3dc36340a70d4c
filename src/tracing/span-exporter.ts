import type { TraceSettings } from '../domain/trace-settings.ts'
import { encodeSpans } from './encode-spans.ts'
import type { PostOutcome, PostSpans } from './post-spans.ts'
import type { Span, SpanBatch } from './span.ts'

/** Between one try and the next, each time twice as long, and up to half of it more. */
const FIRST_RETRY_MS = 1000
/** What a server that stops waits for a collector. */
const CLOSE_MS = 2000

export interface SpanExporterOptions {
  readonly settings: TraceSettings
  readonly post: PostSpans
  /** Told when spans are dropped that were not dropped before, and when that is over, in a line for the log. */
  readonly tell: (line: string) => void
  readonly version: string
  /** Waits; another than usual in tests. */
  readonly wait?: (ms: number) => Promise<void>
}

export interface SpanCounts {
  readonly exported: number
  readonly dropped: number
}

/**
 * Sends spans to a collector, some at a time, and drops what it doesn't take: what is traced never waits for it, and no more wait
 * than the queue holds.
 */
export class SpanExporter {
  private readonly options: SpanExporterOptions
  private queue: Span[] = []
  private exported = 0
  private dropped = 0
  private timer: NodeJS.Timeout | undefined
  private sending: Promise<void> | undefined
  private isFailing = false
  private readonly closing = Promise.withResolvers<void>()
  private isClosing = false

  constructor(options: SpanExporterOptions) {
    this.options = options
  }

  get counts(): SpanCounts {
    return { exported: this.exported, dropped: this.dropped }
  }

  add(span: Span): void {
    const { queueSpans, batchSpans, delayMs } = this.options.settings.batch
    if (this.queue.length >= queueSpans || this.isClosing) {
      this.dropped += 1
      return
    }
    this.queue.push(span)
    if (this.queue.length >= batchSpans) void this.flush()
    else this.timer ??= setTimeout(() => void this.flush(), delayMs).unref()
  }

  /** Sends what waits; resolves when that is sent or dropped. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.sending ??= this.sendAll().finally(() => {
      this.sending = undefined
    })
    return this.sending
  }

  /** Sends what waits, for two seconds at most. */
  async close(): Promise<void> {
    this.isClosing = true
    const given = setTimeout(() => this.closing.resolve(), CLOSE_MS)
    await Promise.race([this.flush(), this.closing.promise])
    clearTimeout(given)
    this.closing.resolve()
    this.dropped += this.queue.length
    this.queue = []
  }

  private async sendAll(): Promise<void> {
    while (this.queue.length > 0)
      await this.send(this.queue.splice(0, this.options.settings.batch.batchSpans))
  }

  private async send(spans: readonly Span[]): Promise<void> {
    const { settings, version } = this.options
    const batch: SpanBatch = { resource: settings.resource, scope: { name: 'sheaf', version }, spans }
    const { isTaken, problem } = await this.tried(batch)
    if (isTaken) this.exported += spans.length
    else this.dropped += spans.length
    if (isTaken !== this.isFailing) return
    this.isFailing = !isTaken
    this.options.tell(
      isTaken ? 'traces are taken again' : `traces are not taken, and dropped, by the collector: ${problem}`,
    )
  }

  /** Until it is taken, there is no use in it, or time is up. */
  private async tried(batch: SpanBatch): Promise<PostOutcome> {
    const { settings, post, wait = waitFor } = this.options
    const encoded = encodeSpans(batch, settings.protocol)
    let left = settings.batch.exportMs
    for (let retryMs = FIRST_RETRY_MS; ; retryMs *= 2) {
      const startedAt = performance.now()
      const outcome = await post(encoded)
      const waitMs = Math.max(retryMs * (1 + Math.random() / 2), outcome.retryAfterMs ?? 0)
      left -= performance.now() - startedAt + waitMs
      if (outcome.isTaken || !outcome.mayRetry || left <= 0 || this.isClosing) return outcome
      await Promise.race([wait(waitMs), this.closing.promise])
    }
  }
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
