import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyTotals } from '../analytics/traffic.ts'
import { emptyDelta } from '../analytics/traffic-delta.ts'
import { TrafficUpkeep } from './traffic-upkeep.ts'

const MINUTE_MS = 60 * 1000

function upkeepAt(clock: { now: number; measuringMs?: number }) {
  const done: string[] = []
  const upkeep = new TrafficUpkeep({
    tidy: async () => void done.push('tidy'),
    measure: async (apps) => {
      done.push(`measure ${apps.join()}`)
      clock.now += clock.measuringMs ?? 0
      return new Map(apps.map((app) => [app, []]))
    },
    noteStorage: async (measured) => void done.push(`note ${[...measured.keys()].join()}`),
    now: () => clock.now,
  })
  return {
    /** What is done where apps were asked, of which some were written to. */
    async look(...apps: [app: string, written: number][]): Promise<string[]> {
      const minutes = apps.map(([app, written]) => ({ app, at: 0, totals: { ...emptyTotals(), written } }))
      upkeep.noteTraffic({ ...emptyDelta(), minutes })
      await upkeep.look()
      return done.splice(0)
    },
  }
}

describe('the upkeep of traffic', () => {
  it('begins a minute after the start, and removes what is old every hour', async () => {
    const clock = { now: 5 }
    const { look } = upkeepAt(clock)
    assert.deepEqual(await look(['a', 1]), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['tidy', 'measure a', 'note a'])
    clock.now += 59 * MINUTE_MS
    assert.deepEqual(await look(), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['tidy'])
  })

  it('measures what was asked first, and later what was written to, every ten minutes', async () => {
    const clock = { now: 5 }
    const { look } = upkeepAt(clock)
    clock.now += MINUTE_MS
    await look()
    assert.deepEqual(await look(['a', 0], ['', 0]), ['measure a', 'note a'])
    clock.now += 9 * MINUTE_MS
    assert.deepEqual(await look(['a', 1], ['b', 1]), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['measure a,b', 'note a,b'])
    clock.now += 10 * MINUTE_MS
    assert.deepEqual(await look(['a', 0], ['b', 0]), [])
    assert.deepEqual(await look(['b', 1]), ['measure b', 'note b'])
  })

  it('measures more seldom what takes long', async () => {
    const clock = { now: 5, measuringMs: 6000 }
    const { look } = upkeepAt(clock)
    clock.now += MINUTE_MS
    await look(['a', 1])
    clock.now += 59 * MINUTE_MS
    assert.deepEqual(await look(['a', 1]), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['tidy', 'measure a', 'note a'])
  })
})
