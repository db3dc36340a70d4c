import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { DashboardRequest } from '../dashboard-request.ts'
import { TAIL_ROUTES } from './tail.ts'

it('a live view whose client leaves before it opens keeps no place', async () => {
  let closed = 0
  const request: Partial<DashboardRequest> = {
    name: () => 'todo',
    integer: () => 60,
    call: async () => ({ app: 'a', account: 'b', shownKeys: undefined }) as never,
    openTail: async () => ({ next: async () => undefined, close: () => closed++ }),
    // Its connection is closed already, of which nothing tells again.
    whenGone: () => undefined,
    isCancelled: () => true,
  }
  await TAIL_ROUTES['GET /apps/{app}/analytics/tail']!(request as DashboardRequest)
  assert.equal(closed, 1)
})
