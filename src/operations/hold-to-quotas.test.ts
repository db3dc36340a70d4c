import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createQuotaUses, QuotaUses } from '../credentials/quota-uses.ts'
import { NO_QUOTA, type Quotas } from '../domain/quota.ts'
import { AppError } from '../errors.ts'
import { holdToQuotas } from './hold-to-quotas.ts'

const QUOTAS: Quotas = { forAll: { ...NO_QUOTA, bytes: 1000 }, byAccount: new Map() }
const FULL = {
  code: 'quota_exceeded',
  message: /^the account whose app this is may store 1 kB, and.* bin /,
}

function held() {
  const clock = { now: Date.UTC(2026, 10, 30) }
  const uses = new QuotaUses(createQuotaUses(), () => clock.now)
  const state = { there: 0, measured: 0 }
  const stop = uses.onMeasureAnew(async () => {
    state.measured++
    uses.putBytes('ada', state.there)
  })
  const guard = holdToQuotas({ directory: () => ({ quotas: QUOTAS }), uses, now: () => clock.now })
  return { clock, uses, state, guard, stop }
}

const stored = async () => 'stored'

describe('the hold on what accounts store', () => {
  it('measures an account at once that was never measured, and refuses by what is there', async () => {
    const { state, guard, stop } = held()
    state.there = 990
    await assert.rejects(guard.withRoom({ owner: 'ada' }, 11, stored), FULL)
    assert.equal(await guard.withRoom({ owner: 'ada' }, 10, stored), 'stored')
    assert.equal(state.measured, 1)
    stop()
  })

  it('refuses nothing for what was counted and is not there, but measures once in a second for it', async () => {
    const { clock, state, guard, stop } = held()
    for (let n = 0; n < 5; n++) {
      clock.now += 1000
      assert.equal(await guard.withRoom({ owner: 'ada' }, 600, stored), 'stored')
    }
    assert.equal(state.measured, 5)
    await assert.rejects(guard.withRoom({ owner: 'ada' }, 600, stored), FULL)
    assert.equal(state.measured, 5)
    stop()
  })

  it('counts nothing for a write that failed', async () => {
    const { uses, guard, stop } = held()
    const fail = () => Promise.reject(new AppError('invalid_json', 'no JSON'))
    for (let n = 0; n < 3; n++)
      await assert.rejects(guard.withRoom({ owner: 'ada' }, 900, fail), { code: 'invalid_json' })
    await assert.rejects(guard.withRoomLeft({ owner: 'ada' }, 9, fail), { code: 'invalid_json' })
    assert.equal(uses.bytesOf('ada'), 0)
    stop()
  })

  it('tells a write how much it may add, counts what it added, and does it once more where there is more', async () => {
    const { clock, uses, state, guard, stop } = held()
    const rooms: (number | undefined)[] = []
    const grow = (grownBytes: number) =>
      guard.withRoomLeft({ owner: 'ada' }, 1, async (roomBytes) => {
        rooms.push(roomBytes)
        if (grownBytes > roomBytes!) throw new AppError('quota_exceeded', 'no room')
        return { grownBytes }
      })
    await grow(600)
    assert.equal(uses.bytesOf('ada'), 600)
    await assert.rejects(grow(500), FULL)
    clock.now += 1000
    state.there = 100
    await grow(500)
    assert.deepEqual(rooms, [900, 360, 360, 810])
    assert.equal(uses.bytesOf('ada'), 600)
    stop()
  })

  it('leaves the operator and whoever has no quota alone', async () => {
    const { guard, stop, state } = held()
    assert.equal(await guard.withRoom({ owner: null }, 5000, stored), 'stored')
    await guard.withRoomLeft({ owner: null }, 5000, async (roomBytes) => {
      assert.equal(roomBytes, undefined)
      return {}
    })
    assert.equal(state.measured, 0)
    stop()
  })
})
