import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SharedCount } from '../../shared-memory/count.ts'
import { MemoryBudget, unboundedMemory } from '../../shared-memory/memory-budget.ts'
import { BodyMemoryLimit } from './body-memory-limit.ts'
import type { RequestState } from './request-state.ts'

const MIB = 1024 * 1024

function limitWith(
  t: TestContext,
  heldMiB: number,
): { bodyMemory: BodyMemoryLimit; state: () => RequestState } {
  const bodyMemory = new BodyMemoryLimit({
    heldBodyBytes: heldMiB * MIB,
    bodyBytes: 32 * MIB,
    bulkDocuments: 10_000,
    bytesPerSecond: 100,
    rateCheckMs: 10,
    held: new SharedCount(),
    memory: new MemoryBudget(unboundedMemory()),
  })
  t.after(() => bodyMemory.close())
  const state = (): RequestState => ({
    id: 'x',
    startedAt: 0,
    readDocuments: 0,
    writtenDocuments: 0,
    requestBytes: 0,
    responseBytes: 0,
    isDashboard: false,
    heldBytes: 0,
    heldMemory: 0,
    bodyMemory,
    closeAfter: false,
    mayPipeline: false,
    isStrict: false,
  })
  return { bodyMemory, state }
}

test('bodies over the budget are refused until others are released', (t) => {
  const { bodyMemory, state } = limitWith(t, 128)
  const [one, two, three, four] = [state(), state(), state(), state()]
  for (const each of [one, two, three]) bodyMemory.take(each, 32 * MIB)
  assert.throws(() => bodyMemory.take(four, 32 * MIB), { code: 'overloaded' })
  bodyMemory.release(two)
  bodyMemory.take(four, 32 * MIB)
  bodyMemory.release(two)
  assert.throws(() => bodyMemory.take(two, 32 * MIB), { code: 'overloaded' })
})

test('large bodies leave a quarter to small ones', (t) => {
  const { bodyMemory, state } = limitWith(t, 128)
  bodyMemory.take(state(), 32 * MIB)
  bodyMemory.take(state(), 32 * MIB)
  bodyMemory.take(state(), 32 * MIB)
  assert.throws(() => bodyMemory.take(state(), 2 * MIB), { code: 'overloaded' })
  for (let i = 0; i < 32; i++) bodyMemory.take(state(), MIB)
  assert.throws(() => bodyMemory.take(state(), 1), { code: 'overloaded' })
})

test('one body of the greatest length has room in a budget that is smaller', (t) => {
  const { bodyMemory, state } = limitWith(t, 1)
  bodyMemory.take(state(), 32 * MIB)
  assert.throws(() => bodyMemory.take(state(), 2 * MIB), { code: 'overloaded' })
})

test('a body that stops coming is given up at the second check, and one that comes is not', async (t) => {
  const { bodyMemory } = limitWith(t, 1)
  const slow = Promise.withResolvers<Error>()
  bodyMemory.watch({ fresh: 0, seen: false, giveUp: slow.resolve })
  let isGivenUp = false
  const fast = {
    fresh: 0,
    seen: true,
    giveUp: () => {
      isGivenUp = true
    },
  }
  Object.defineProperty(fast, 'fresh', { get: () => 100, set: () => {} })
  bodyMemory.watch(fast)
  assert.match((await slow.promise).message, /too slowly/)
  assert.equal(isGivenUp, false)
})
