import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createQuotaUses, dayOf, QuotaUses } from './quota-uses.ts'

const NOON = Date.UTC(2026, 10, 29, 12)
const MIDNIGHT = Date.UTC(2026, 10, 30)

function counted() {
  const clock = { now: NOON }
  const memory = createQuotaUses()
  const here = new QuotaUses(memory, () => clock.now)
  return { clock, here, there: new QuotaUses(memory, () => clock.now) }
}

describe('what accounts use of their quotas', () => {
  it('is counted by all threads together, for each account by itself', () => {
    const { here, there } = counted()
    const taken = [here, there, here].map((uses) => uses.takeRequest('ada', 2))
    assert.deepEqual(taken, [true, true, false])
    assert.equal(there.requestsOf('ada'), 2)
    assert.equal(there.takeRequest('bob', 1), true)
    assert.equal(there.takeRequest('carol', 0), false)
  })

  it('begins anew at midnight by UTC, and where the clock was set back', () => {
    const { clock, here } = counted()
    clock.now = MIDNIGHT - 1
    assert.equal(here.takeRequest('ada', 1), true)
    assert.equal(here.takeRequest('ada', 1), false)
    clock.now = MIDNIGHT
    assert.equal(here.requestsOf('ada'), 0)
    assert.equal(here.takeRequest('ada', 1), true)
    clock.now = NOON
    assert.equal(here.takeRequest('ada', 1), true)
  })

  it('goes on after a restart with what the same day has seen', () => {
    const { here } = counted()
    const day = dayOf(NOON)
    here.restoreRequests('ada', { day, requests: 7 })
    here.restoreRequests('bob', { day: day - 1, requests: 7 })
    assert.deepEqual([here.requestsOf('ada'), here.requestsOf('bob')], [7, 0])
  })

  it('lets bytes in until they were measured, and then as many as there is room for, until the next time', () => {
    const { here, there } = counted()
    assert.equal(here.takeBytes('ada', 1000, 10), true)
    assert.equal(here.bytesOf('ada'), undefined)
    there.putBytes('ada', 6)
    assert.deepEqual(
      [4, 1, 0].map((bytes) => here.takeBytes('ada', bytes, 10)),
      [true, false, true],
    )
    assert.equal(here.bytesOf('ada'), 10)
    there.putBytes('ada', 11)
    assert.equal(here.takeBytes('ada', 0, 10), false)
  })

  it('gives the place of an account that nobody counts any more to another one', () => {
    const { clock, here } = counted()
    for (let account = 0; account < 70_000; account++) here.takeRequest(`${account}`, 1)
    clock.now += 48 * 60 * 60 * 1000
    for (let account = 0; account < 10_000; account++) here.takeRequest(`new ${account}`, 1)
    assert.equal(here.takeRequest('new 9999', 1), false)
  })
})
