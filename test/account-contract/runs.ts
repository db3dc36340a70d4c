import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOW, type OpenTestAccounts } from './harness.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Midnight of UTC. */
const TODAY = NOW / 1000
const ALL = { app: '', kind: 'run', from: 0, to: 2 ** 40 } as const

export function runs(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: runs of the server`, () => {
    it('are told apart by their beginnings, and go when they are old', async (t) => {
      const { store, clock } = await open(t)
      await store.noteRun({ from: TODAY - HOUR, to: TODAY - MINUTE })
      await store.noteRun({ from: TODAY - HOUR, to: TODAY })
      await store.noteRun({ from: TODAY + HOUR, to: TODAY + HOUR })
      const noted = async () =>
        (await Array.fromAsync(store.findTraffic(ALL))).map(({ at, value }) => [at - TODAY, value - TODAY])
      assert.deepEqual(await noted(), [
        [-HOUR, 0],
        [HOUR, HOUR],
      ])
      clock.now += 731 * DAY * 1000
      await store.tidyTraffic()
      assert.deepEqual(await noted(), [[HOUR, HOUR]])
    })
  })
}
