import { randomUUID } from 'node:crypto'
import { packageVersion } from '../config/package-version.ts'
import type { TraceSettings } from '../domain/trace-settings.ts'
import type { Log } from '../http/log/log.ts'
import { shownCollection } from '../http/log/redact.ts'
import type { DocumentStore } from '../storage/store.ts'
import type { SpanCounts } from '../tracing/span-exporter.ts'
import type { Tracer } from '../tracing/tracer.ts'

/** The traces that one thread makes. */
export interface Tracing {
  readonly tracer: Tracer
  /** A store whose work has spans. */
  traceStore(store: DocumentStore): DocumentStore
  /** Since the start. */
  counts(): SpanCounts
  /** Sends what waits, for two seconds at most. */
  close(): Promise<void>
}

/** Undefined where nothing is traced; then nothing is loaded for it either. */
export async function openTracing(
  settings: TraceSettings | undefined,
  log: Pick<Log, 'warn'>,
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined
  const [{ createPostSpans }, { SpanExporter }, { Tracer }, { traceStore }] = await Promise.all([
    import('../tracing/post-spans.ts'),
    import('../tracing/span-exporter.ts'),
    import('../tracing/tracer.ts'),
    import('../tracing/trace-store.ts'),
  ])
  const post = createPostSpans(settings)
  const resource = { 'service.instance.id': randomUUID(), ...settings.resource }
  const exporter = new SpanExporter({
    settings: { ...settings, resource },
    post,
    tell: (line) => log.warn(line),
    version: packageVersion(),
  })
  const tracer = new Tracer({ settings, add: (span) => exporter.add(span) })
  return {
    tracer,
    traceStore: (store) => traceStore(store, tracer, shownCollection),
    counts: () => exporter.counts,
    async close() {
      await exporter.close()
      post.close()
    },
  }
}
