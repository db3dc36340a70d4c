import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OpenTestAccounts } from './harness.ts'
import { appOf, deltaOf, requestsOf, rowsOf } from './traffic.ts'

export function trafficAdditions(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: traffic that is added`, () => {
    it('loses nothing of what is added at once', async (t) => {
      const { store } = await open(t)
      const app = await appOf(store)
      await Promise.all([1, 2, 4, 8].map((requests) => store.addTraffic(deltaOf({ app, requests }))))
      assert.deepEqual(await requestsOf(store, app, 'day'), [[0, 15]])
      const [cells] = await rowsOf(store, app, 'hour-cells')
      assert.deepEqual(
        cells!.value.map(({ requests }) => requests),
        [15],
      )
    })

    it('is noted in the same transaction', async (t) => {
      const { store, run } = await open(t)
      const app = await appOf(store)
      await run('ALTER TABLE settings RENAME TO gone')
      await assert.rejects(store.addTraffic(deltaOf({ app, requests: 1 }), 'first'))
      await run('ALTER TABLE gone RENAME TO settings')
      assert.deepEqual(await requestsOf(store, app, 'day'), [])
      for (const note of ['second', 'third']) await store.addTraffic(deltaOf({ app, requests: 1 }), note)
      assert.deepEqual(await requestsOf(store, app, 'day'), [[0, 2]])
      const again = "INSERT INTO settings SELECT name, value FROM settings WHERE name = 'traffic_added'"
      await assert.rejects(run(again), /unique/i)
    })
  })
}
