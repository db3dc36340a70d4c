import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startCollector } from '../collector.ts'
import { type ParsedFamily, parseExposition } from '../parse-exposition.ts'
import { startServer } from './start-server.ts'

const TOKEN = '5d3c3f0a9b1e4c77'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const THREADS = 2

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[]
}

function sum(
  families: Map<string, ParsedFamily>,
  name: string,
  wanted: Readonly<Record<string, string>>,
): number {
  const samples = families.get(name.replace(/_(?:count|sum)$/, ''))!.samples
  return samples
    .filter((sample) => sample.name === name)
    .filter(({ labels }) => Object.entries(wanted).every(([label, value]) => labels[label] === value))
    .reduce((total, { value }) => total + value, 0)
}

describe('a server that is monitored', () => {
  it('counts every request on all threads, and traces them without a secret', async (t) => {
    const collector = await startCollector()
    t.after(() => collector.close())
    const server = await startServer({
      env: {
        SHEAF_HTTP_THREADS: String(THREADS),
        SHEAF_METRICS_TOKEN: TOKEN,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_SERVICE_NAME: 'shop',
      },
    })
    t.after(() => server.dispose())
    const path = '/apps/demo/collections/shelf'
    const traced = { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } }
    // Connections of their own, which the system hands out to the threads.
    for (let i = 0; i < 8; i++) {
      const client = server.newClient(1)
      await client.send('PUT', `${path}/${i}`, { body: '{"n":1}' })
      await client.send('GET', `${path}?q=%7B%22n%22%3A%22findme%22%7D`, traced)
      await client.send('GET', `${path}/none`)
      client.close()
    }
    await server.client.send('POST', `/create-token/${server.apiKey}`)

    const scraped = await server.client.send('GET', '/_/metrics')
    assert.equal(scraped.status, 200)
    const families = parseExposition(scraped.text)
    const requests = 'sheaf_http_requests_total'
    assert.equal(sum(families, requests, { area: 'api', method: 'PUT', status: '201' }), 8)
    assert.equal(sum(families, requests, { area: 'api', method: 'GET', status: '404' }), 8)
    assert.equal(sum(families, 'sheaf_http_request_duration_seconds_count', { area: 'api' }), 25)
    assert.equal(sum(families, 'sheaf_app_requests_total', { app: 'demo' }), 24)
    assert.equal(sum(families, 'sheaf_app_errors_total', { app: 'demo' }), 8)
    assert.equal(sum(families, 'sheaf_documents_written_total', {}), 8)
    assert.equal(families.get('sheaf_event_loop_delay_seconds')!.samples.length, THREADS)
    for (const name of [
      'sheaf_disk_free_bytes',
      'sheaf_database_bytes',
      'process_cpu_seconds_total',
      'sheaf_apps',
    ])
      assert.ok(
        families.get(name)!.samples.every(({ value }) => value > 0),
        name,
      )
    assert.ok(sum(families, 'sheaf_certificate_expiry_timestamp_seconds', {}) > Date.now() / 1000)
    assert.ok(!scraped.text.includes(server.apiKey))

    const forwarded = { headers: { 'X-Forwarded-For': '127.0.0.1' } }
    assert.equal((await server.client.send('GET', '/_/metrics', forwarded)).status, 404)
    const byToken = { headers: { ...forwarded.headers, Authorization: `Bearer ${TOKEN}` } }
    assert.equal((await server.client.send('GET', '/_/metrics', byToken)).status, 200)

    assert.equal(await server.stop(), 0)
    const bodies = collector.received.map(({ body }) => body.toString())
    const spans: SentSpan[] = bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
    const named = (name: string): SentSpan[] => spans.filter((span) => span.name === name)
    assert.equal(named('PUT /apps/{app}/collections/{collection}/{_id}').length, 8)
    assert.equal(named('POST /create-token/{api_key}').length, 1)
    const followed = named('GET /apps/{app}/collections/{collection}')
    assert.deepEqual(
      followed.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
      Array(8).fill([TRACE, PARENT]),
    )
    const finds = named('find shelf')
    assert.deepEqual(
      finds.map(({ parentSpanId }) => parentSpanId).sort(),
      followed.map(({ spanId }) => spanId).sort(),
    )
    const all = bodies.join('')
    for (const secret of [server.apiKey, 'findme', '127.0.0.1', TOKEN])
      assert.ok(!all.includes(secret), secret)
    assert.ok(!all.includes('/_/metrics'))
  })
})
