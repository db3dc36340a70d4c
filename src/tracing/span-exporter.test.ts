import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Answer, startCollector } from '../../test/collector.ts'
import type { BatchSettings, TraceSettings } from '../domain/trace-settings.ts'
import { createPostSpans } from './post-spans.ts'
import type { Span } from './span.ts'
import { SpanExporter } from './span-exporter.ts'

const SPAN: Span = {
  traceId: '0102030405060708090a0b0c0d0e0f10',
  spanId: '1112131415161718',
  parentId: undefined,
  name: 'GET',
  kind: 'server',
  startedAt: 1,
  endedAt: 2,
  attributes: {},
  isFailed: false,
}
const BATCH = { delayMs: 60_000, queueSpans: 4, batchSpans: 2, exportMs: 30_000 }

function settingsOf(url: string, batch: Partial<BatchSettings> = {}): TraceSettings {
  return {
    url: `${url}/v1/traces`,
    protocol: 'http/json',
    headers: { authorization: 'Bearer secret' },
    timeoutMs: 5000,
    isCompressed: true,
    ca: undefined,
    clientKey: undefined,
    clientCertificate: undefined,
    sampler: { followsParent: true, share: 1 },
    takesParent: true,
    resource: { 'service.name': 'shop' },
    batch: { ...BATCH, ...batch },
  }
}

interface Opened {
  readonly exporter: SpanExporter
  readonly lines: string[]
  readonly waits: number[]
}

function opened(settings: TraceSettings, t: { after(work: () => void): void }): Opened {
  const lines: string[] = []
  const waits: number[] = []
  const post = createPostSpans(settings)
  t.after(() => post.close())
  const wait = async (ms: number): Promise<void> => void waits.push(ms)
  const tell = (line: string): void => void lines.push(line)
  return { exporter: new SpanExporter({ settings, post, tell, version: '1', wait }), lines, waits }
}

describe('the exporter of spans', () => {
  it('drops what the queue has no room for, at once, and counts it', async (t) => {
    const collector = await startCollector()
    t.after(() => collector.close())
    const { exporter, lines } = opened(settingsOf(collector.url, { batchSpans: 4 }), t)
    // The first four are on their way while the next four wait.
    for (let i = 0; i < 10; i++) exporter.add(SPAN)
    await exporter.close()
    exporter.add(SPAN)
    assert.deepEqual(exporter.counts, { exported: 8, dropped: 3 })
    assert.deepEqual(lines, [])
  })

  it('drops what a collector does not want, follows it nowhere, and tells once of that and of its end', async (t) => {
    const answers: Answer[] = [
      { status: 400 },
      { status: 302, headers: { location: '/elsewhere' } },
      { status: 401 },
      { status: 200 },
      { status: 200 },
    ]
    const collector = await startCollector((index) => answers[index]!)
    t.after(() => collector.close())
    const { exporter, lines } = opened(settingsOf(collector.url), t)
    for (let i = 0; i < 5; i++) {
      exporter.add(SPAN)
      await exporter.flush()
    }
    assert.deepEqual(exporter.counts, { exported: 2, dropped: 3 })
    assert.deepEqual(lines, [
      'traces are not taken, and dropped, by the collector: it answered 400',
      'traces are taken again',
    ])
    assert.ok(collector.received.every(({ path }) => path === '/v1/traces'))
  })

  it('tries again what may be taken later, not before the collector says so, for as long as is given', async (t) => {
    const collector = await startCollector((index) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '7' } } : { status: index < 3 ? 503 : 200 },
    )
    t.after(() => collector.close())
    const { exporter, waits } = opened(settingsOf(collector.url), t)
    exporter.add(SPAN)
    await exporter.flush()
    assert.deepEqual([collector.received.length, exporter.counts.exported], [4, 1])
    assert.equal(waits[0], 7000)
    assert.ok(waits[1]! >= 2000 && waits[1]! <= 3000 && waits[2]! >= 4000 && waits[2]! <= 6000)
    const refused = await startCollector(() => ({ status: 503 }))
    t.after(() => refused.close())
    const other = opened(settingsOf(refused.url, { exportMs: 3000 }), t)
    other.exporter.add(SPAN)
    await other.exporter.flush()
    assert.deepEqual(other.exporter.counts, { exported: 0, dropped: 1 })
    assert.ok(refused.received.length <= 2)
  })

  it('gives up where nobody listens, and says so without what it would have sent', async (t) => {
    const { url, close } = await startCollector()
    close()
    const { exporter, lines } = opened(settingsOf(url, { exportMs: 1 }), t)
    exporter.add(SPAN)
    await exporter.close()
    assert.deepEqual(exporter.counts, { exported: 0, dropped: 1 })
    assert.deepEqual(lines, ['traces are not taken, and dropped, by the collector: ECONNREFUSED'])
  })

  it('sends spans together with what is said of the process', async (t) => {
    const collector = await startCollector()
    t.after(() => collector.close())
    const { exporter } = opened(settingsOf(collector.url), t)
    for (let i = 0; i < 3; i++) exporter.add(SPAN)
    await exporter.close()
    const sizes = collector.received.map(({ headers, body }) => {
      assert.deepEqual(
        [headers['content-type'], headers['content-encoding'], headers.authorization],
        ['application/json', 'gzip', 'Bearer secret'],
      )
      const [{ resource, scopeSpans }] = JSON.parse(gunzipSync(body).toString()).resourceSpans
      assert.deepEqual(resource.attributes, [{ key: 'service.name', value: { stringValue: 'shop' } }])
      return scopeSpans[0].spans.length
    })
    assert.deepEqual(sizes, [2, 1])
  })
})
