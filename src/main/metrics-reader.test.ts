import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseExposition } from '../../test/parse-exposition.ts'
import { emptyServerTotals } from '../analytics/traffic-delta.ts'
import type { ThreadFacts } from '../metrics/metric-facts.ts'
import { type MeasuredHttp, MetricsReader } from './metrics-reader.ts'

const HTTP = {
  ...{ openConnections: 1, openRequests: 1, shedRequests: 0 },
  memory: { heldBytes: 0, bytes: 1 },
}
const CONFIG = { dataDir: '/nowhere', backups: { folder: '/backups', everyMs: undefined, keep: 1 } }

function readerWith(parts: Partial<MeasuredHttp>, control = settingOf(undefined)): MetricsReader {
  const directory = { apps: new Map(), keysById: new Map() } as never
  const reader = new MetricsReader(CONFIG, {
    control,
    store: { directory: () => directory },
    traffic: { totals: emptyServerTotals() },
    accounts: { servedCertificates: [] },
    alerts: { counts: () => new Map([['disk', 1]]) },
  })
  reader.measure({ measureThreads: async () => [], facts: () => HTTP, ...parts })
  return reader
}

function settingOf(text: string | undefined) {
  return { countAccounts: () => 3, setting: () => text }
}

describe('the reader of metrics', () => {
  it('makes one answer for all who ask while it is made', async () => {
    let measured = 0
    const measureThreads = async (): Promise<ThreadFacts[]> => {
      measured += 1
      return []
    }
    const reader = readerWith({ measureThreads })
    const [one, other] = await Promise.all([reader.read(), reader.read()])
    assert.equal(one, other)
    await reader.read()
    assert.equal(measured, 2)
  })

  it('does without a thread that is busy, and tells what that told last', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const asked = Promise.withResolvers<void>()
    let busy = false
    const measureThreads = (): Promise<ThreadFacts[]> => {
      if (!busy) return Promise.resolve([{ eventLoopDelayMs: 7, spans: undefined }])
      asked.resolve()
      return new Promise(() => {})
    }
    const reader = readerWith({ measureThreads })
    await reader.read()
    busy = true
    const reading = reader.read()
    await asked.promise
    t.mock.timers.tick(1000)
    const families = parseExposition(await reading)
    assert.equal(families.get('sheaf_event_loop_delay_seconds')!.samples[0]!.value, 0.007)
  })

  it('leaves out what can not be read, and tells the rest', async () => {
    const broken = {
      countAccounts: () => {
        throw new Error('the file is damaged')
      },
      setting: () => {
        throw new Error('the file is damaged')
      },
    }
    const families = parseExposition(await readerWith({}, broken).read())
    for (const name of [
      'sheaf_accounts',
      'sheaf_disk_free_bytes',
      'sheaf_backup_last_success_timestamp_seconds',
    ])
      assert.equal(families.has(name), false, name)
    assert.equal(families.get('sheaf_apps')!.samples[0]!.value, 0)
  })

  it('tells when backups were made and failed, and what fires', async () => {
    const outcomes = { success: { at: 5000, name: 'x', bytes: 1 }, failure: { at: 7500, message: 'full' } }
    const families = parseExposition(await readerWith({}, settingOf(JSON.stringify(outcomes))).read())
    const told = (name: string): number | undefined => families.get(name)?.samples[0]?.value
    assert.equal(told('sheaf_backup_last_success_timestamp_seconds'), 5)
    assert.equal(told('sheaf_backup_last_failure_timestamp_seconds'), 7.5)
    assert.equal(told('sheaf_accounts'), 3)
    assert.deepEqual(families.get('sheaf_alerts_firing')!.samples[0]!.labels, { kind: 'disk' })
    assert.equal(told('sheaf_alerts_firing'), 1)
  })
})
