import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { RequestFacts } from '../analytics/request-facts.ts'
import { countTraffic } from './count-traffic.ts'
import type { AppBatches } from './traffic-tails.ts'

it('views that come and go don’t hold up what another is told', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const told: AppBatches[] = []
  const receiver = { take: () => {}, tell: (batches: AppBatches) => told.push(batches) }
  const traffic = countTraffic({ limits: { apps: 1 }, log: { fault: assert.fail }, receiver })
  t.after(() => traffic.close())
  const facts: RequestFacts = {
    ...{ area: 'api', method: 'GET', status: 200, code: '', ms: 1, bytesIn: 0, bytesOut: 0, read: 0 },
    ...{ written: 0, app: 'a', key: '', keyName: '', collection: '', operation: 'find', address: '' },
    ...{ target: '/', requestId: 'r', visit: undefined },
  }
  traffic.watch(['a'])
  traffic.add(facts)
  t.mock.timers.tick(150)
  traffic.watch(['a', 'b'])
  t.mock.timers.tick(150)
  assert.equal(told.length, 1)
})
