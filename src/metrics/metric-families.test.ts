import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { METRIC_FACTS } from '../../test/metric-facts.ts'
import { type ParsedFamily, parseExposition } from '../../test/parse-exposition.ts'
import { addDuration, type Histogram } from '../analytics/histogram.ts'
import { exposition } from './exposition.ts'
import type { MetricFacts } from './metric-facts.ts'
import { metricFamilies } from './metric-families.ts'

const UNKNOWN: Partial<MetricFacts> = {
  threads: [{ eventLoopDelayMs: 1.5, spans: undefined }],
  storage: undefined,
  accounts: undefined,
  backups: undefined,
  process: { ...METRIC_FACTS.process, openFiles: undefined, mostOpenFiles: undefined },
}

function parsed(facts: Partial<MetricFacts> = {}): Map<string, ParsedFamily> {
  return parseExposition(exposition(metricFamilies({ ...METRIC_FACTS, ...facts })))
}

function valuesOf(families: Map<string, ParsedFamily>, name: string): unknown[] {
  return families.get(name)?.samples.map(({ labels, value }) => [labels, value]) ?? []
}

describe('the metrics', () => {
  it('leave out what is not known, and keep the rest', () => {
    const families = parsed(UNKNOWN)
    for (const name of [
      'sheaf_disk_free_bytes',
      'sheaf_accounts',
      'process_open_fds',
      'sheaf_trace_spans_total',
    ])
      assert.equal(families.has(name), false, name)
    assert.deepEqual(valuesOf(families, 'sheaf_keys'), [[{}, 7]])
    assert.deepEqual(valuesOf(families, 'sheaf_event_loop_delay_seconds'), [[{ thread: '0' }, 0.0015]])
    assert.deepEqual(valuesOf(families, 'process_start_time_seconds'), [[{}, 1_790_000_000]])
  })

  it('have durations in buckets that are exact, in seconds', () => {
    const latency: Histogram = []
    // 0.2 ms is the end of a bucket and belongs to it; 200 s is longer than all of them.
    for (const ms of [0.01, 0.2, 0.3, 100, 200_000]) addDuration(latency, ms)
    const areas = [{ area: 'api' as const, latency, ms: 200_100.51, bytesIn: 10, bytesOut: 20 }]
    const families = parsed({ totals: { ...METRIC_FACTS.totals, areas } })
    const { samples } = families.get('sheaf_http_request_duration_seconds')!
    const bucket = (le: string): number | undefined => samples.find(({ labels }) => labels.le === le)?.value
    assert.deepEqual(
      ['0.0002', '0.0004', '0.0512', '0.1024', '26.2144', '+Inf'].map(bucket),
      [2, 3, 3, 4, 4, 5],
    )
    assert.equal(samples.find(({ name }) => name.endsWith('_sum'))!.value, 200.10051)
    assert.deepEqual(valuesOf(families, 'sheaf_http_response_bytes_total'), [[{ area: 'api' }, 20]])
  })

  it('name a hundred apps, and never take from what the others have together', () => {
    const apps = Array.from({ length: 150 }, (_, index) => ({
      ...{ app: `id-${index}`, requests: index, errors: 1, failed: 0 },
    }))
    const none = { app: '', requests: 1000, errors: 1000, failed: 0 }
    const families = parsed({ totals: { ...METRIC_FACTS.totals, apps: [none, ...apps] } })
    const requests = new Map(
      families.get('sheaf_app_requests_total')!.samples.map(({ labels, value }) => [labels.app, value]),
    )
    assert.equal(requests.size, 101)
    assert.deepEqual([requests.get('shop'), requests.get('id-99')], [1, 99])
    // 100 + 101 + … + 149.
    assert.equal(requests.get('*'), 6225)
  })

  it('add up databases, and tell of the largest log', () => {
    const storage = {
      freeBytes: 1,
      diskBytes: 2,
      control: { bytes: 10, walBytes: 20 },
      apps: new Map([
        ['a', { bytes: 100, walBytes: 7 }],
        ['b', { bytes: 200, walBytes: 50 }],
      ]),
    }
    const families = parsed({ storage })
    assert.deepEqual(valuesOf(families, 'sheaf_database_bytes'), [
      [{ database: 'accounts' }, 10],
      [{ database: 'apps' }, 300],
    ])
    assert.deepEqual(valuesOf(families, 'sheaf_wal_largest_bytes'), [[{}, 50]])
  })

  it('tell of spans of all threads together', () => {
    const threads = [1, 2].map((count) => ({ eventLoopDelayMs: 0, spans: { exported: count, dropped: 0 } }))
    assert.deepEqual(valuesOf(parsed({ threads }), 'sheaf_trace_spans_total'), [
      [{ outcome: 'exported' }, 3],
      [{ outcome: 'dropped' }, 0],
    ])
  })
})
