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

  it('keeps room for writes that are under way, and counts what they stored until it is measured', () => {
    const { here, there } = counted()
    assert.deepEqual([here.reserveBytes('ada', 11, 10), here.reserveBytes('ada', 7, 10)], [false, true])
    assert.equal(there.reserveBytes('ada', 4, 10), false)
    // One of them failed.
    here.settleBytes('ada', 7, 0)
    assert.equal(there.reserveBytes('ada', 4, 10), true)
    there.settleBytes('ada', 4, 4)
    assert.equal(here.bytesOf('ada'), undefined)
    assert.equal(here.reserveBytes('ada', 7, 10), false)
    here.reserveBytes('ada', 5, 10)
    there.putBytes('ada', 3)
    assert.deepEqual([here.bytesOf('ada'), here.reserveBytes('ada', 3, 10)], [3, false])
    here.settleBytes('ada', 5, 5)
    assert.deepEqual([here.bytesOf('ada'), here.reserveBytes('ada', 2, 10)], [8, true])
    there.putBytes('ada', 11)
    assert.equal(here.reserveBytes('ada', 0, 10), false)
  })

  it('gives writes whose size nobody knows no more than there is, all of them together', () => {
    const { here, there } = counted()
    const shares = [here, there, here].map((uses) => uses.reserveShare('ada', 1000))
    assert.deepEqual(shares, [900, 90, 9])
    here.settleBytes('ada', 900, 20)
    assert.deepEqual(
      [here.reserveBytes('ada', 882, 1000), here.reserveBytes('ada', 881, 1000)],
      [false, true],
    )
    here.putBytes('bob', 7)
    assert.equal(here.reserveShare('bob', 5), 0)
  })

  it('is measured anew for whoever asks, once in a second, where anybody measures', async () => {
    const { clock, here, there } = counted()
    assert.equal(await here.measureAnew('ada'), false)
    let times = 0
    const end = there.onMeasureAnew(async () => {
      times++
      there.putBytes('ada', times)
    })
    assert.deepEqual(await Promise.all([here.measureAnew('ada'), here.measureAnew('nobody')]), [true, true])
    assert.deepEqual([times, here.bytesOf('ada'), here.bytesOf('nobody')], [1, 1, 0])
    clock.now += 999
    assert.equal(await here.measureAnew('ada'), false)
    clock.now += 1
    assert.equal(await here.measureAnew('ada'), true)
    assert.equal(times, 2)
    end()
    clock.now += 1000
    assert.equal(await here.measureAnew('ada'), false)
  })

  it('gives the place of an account that nobody counts any more to another one', () => {
    const { clock, here } = counted()
    for (let account = 0; account < 70_000; account++) here.takeRequest(`${account}`, 1)
    clock.now += 48 * 60 * 60 * 1000
    for (let account = 0; account < 10_000; account++) here.takeRequest(`new ${account}`, 1)
    assert.equal(here.takeRequest('new 9999', 1), false)
  })
})
