import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TrafficUpkeep } from './traffic-upkeep.ts'

const MINUTE_MS = 60 * 1000

interface Clock {
  now: number
  measuringMs?: number
  /** The app that can't be measured. */
  damaged?: string
}

/** @param measured when apps were measured before the start, in seconds */
function upkeepAt(clock: Clock, measured: Readonly<Record<string, number>> = {}) {
  const done: string[] = []
  const files = new Map<string, number>()
  const upkeep = new TrafficUpkeep({
    tidy: async () => void done.push('tidy'),
    listApps: async () => [...files.keys()],
    stateOf: async (app) => ({
      mark: files.get(app)! < 0 ? '' : `at ${files.get(app)}`,
      changedAt: files.get(app)!,
    }),
    measuredAt: async (app) => measured[app],
    measure: async (apps) => {
      done.push(`measure ${apps.join()}`)
      if (apps.includes(clock.damaged ?? '')) throw new Error('it is damaged')
      clock.now += clock.measuringMs ?? 0
      return new Map(apps.map((app) => [app, []]))
    },
    noteStorage: async (all) => void done.push(`note ${[...all.keys()].join()}`),
    now: () => clock.now,
  })
  return {
    files,
    /** What is done where files of apps were written then, in milliseconds; a negative time stands for no file. */
    async look(written: Readonly<Record<string, number>> = {}): Promise<string[]> {
      for (const [app, at] of Object.entries(written)) files.set(app, at)
      await upkeep.look()
      return done.splice(0)
    },
  }
}

describe('the upkeep of traffic', () => {
  it('begins a minute after the start, and removes what is old every hour', async () => {
    const clock = { now: 5 }
    const { look } = upkeepAt(clock)
    assert.deepEqual(await look({ a: 1 }), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['tidy', 'measure a', 'note a'])
    clock.now += 59 * MINUTE_MS
    assert.deepEqual(await look(), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['tidy'])
  })

  it('measures what was written to, whoever wrote it, every ten minutes', async () => {
    const clock = { now: 5 }
    const { look, files } = upkeepAt(clock)
    clock.now += MINUTE_MS
    assert.deepEqual(await look({ none: -1 }), ['tidy'])
    clock.now += MINUTE_MS
    assert.deepEqual(await look({ a: 1, b: 1 }), ['measure a,b', 'note a,b'])
    clock.now += 9 * MINUTE_MS
    assert.deepEqual(await look({ b: 2 }), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['measure b', 'note b'])
    files.delete('a')
    clock.now += 10 * MINUTE_MS
    assert.deepEqual(await look(), [])
    // What was gone is as if it had never been there.
    clock.now += MINUTE_MS
    assert.deepEqual(await look({ a: 1 }), ['measure a', 'note a'])
  })

  it('measures after a start what was not measured since it was written to', async () => {
    const clock = { now: 5 }
    const { look } = upkeepAt(clock, { before: 3600, since: 3600 })
    clock.now += MINUTE_MS
    const files = { before: 3_599_999, since: 3_600_000, never: 1 }
    assert.deepEqual(await look(files), ['tidy', 'measure since,never', 'note since,never'])
    clock.now += 10 * MINUTE_MS
    assert.deepEqual(await look(), [])
  })

  it('measures a thousand apps in a round, twenty in one go, those first that wait longest', async () => {
    const clock = { now: 5 }
    const { look } = upkeepAt(clock)
    clock.now += MINUTE_MS
    const files = Object.fromEntries(Array.from({ length: 1010 }, (_, n) => [`a${n}`, 1]))
    const [, first] = await look(files)
    assert.equal(first!.split(',').length, 20)
    clock.now += 10 * MINUTE_MS
    const measured = (await look({ a0: 2 })).filter((each) => each.startsWith('measure'))
    const rest = Array.from({ length: 10 }, (_, n) => `a${1000 + n}`)
    assert.deepEqual(measured, [`measure ${[...rest, 'a0'].join()}`])
  })

  it('gives up what can not be measured until it is written to, and does the others', async () => {
    const clock: Clock = { now: 5, damaged: 'a' }
    const { look } = upkeepAt(clock)
    clock.now += MINUTE_MS
    await assert.rejects(look({ a: 1 }), /damaged/)
    clock.now += 10 * MINUTE_MS
    assert.deepEqual((await look({ b: 1 })).slice(-2), ['measure b', 'note b'])
    delete clock.damaged
    clock.now += 10 * MINUTE_MS
    assert.deepEqual(await look({ a: 2 }), ['measure a', 'note a'])
  })

  it('measures more seldom what takes long', async () => {
    const clock = { now: 5, measuringMs: 6000 }
    const { look } = upkeepAt(clock)
    clock.now += MINUTE_MS
    await look({ a: 1 })
    clock.now += 59 * MINUTE_MS
    assert.deepEqual(await look({ a: 2 }), [])
    clock.now += MINUTE_MS
    assert.deepEqual(await look(), ['tidy', 'measure a', 'note a'])
  })
})
