import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SharedCount } from '../../shared-memory/count.ts'
import { MemoryBudget, unboundedMemory } from '../../shared-memory/memory-budget.ts'
import { BodyMemoryLimit } from './body-memory-limit.ts'
import type { RequestTrace } from './request-trace.ts'

const MIB = 1024 * 1024

function budgetOf(t: TestContext, heldMiB: number): { budget: BodyMemoryLimit; trace: () => RequestTrace } {
  const budget = new BodyMemoryLimit({
    heldBodyBytes: heldMiB * MIB,
    bodyBytes: 32 * MIB,
    bulkDocuments: 10_000,
    bytesPerSecond: 100,
    lookMs: 10,
    held: new SharedCount(),
    memory: new MemoryBudget(unboundedMemory()),
  })
  t.after(() => budget.close())
  const trace = (): RequestTrace => ({
    id: 'x',
    startedAt: 0,
    responseBytes: 0,
    heldBytes: 0,
    heldMemory: 0,
    budget,
    closeAfter: false,
    mayAskAhead: false,
    isStrict: false,
  })
  return { budget, trace }
}

test('bodies over the budget are refused until others are released', (t) => {
  const { budget, trace } = budgetOf(t, 128)
  const [one, two, three, four] = [trace(), trace(), trace(), trace()]
  for (const each of [one, two, three]) budget.take(each, 32 * MIB)
  assert.throws(() => budget.take(four, 32 * MIB), { code: 'overloaded' })
  budget.release(two)
  budget.take(four, 32 * MIB)
  budget.release(two)
  assert.throws(() => budget.take(two, 32 * MIB), { code: 'overloaded' })
})

test('large bodies leave a quarter to small ones', (t) => {
  const { budget, trace } = budgetOf(t, 128)
  budget.take(trace(), 32 * MIB)
  budget.take(trace(), 32 * MIB)
  budget.take(trace(), 32 * MIB)
  assert.throws(() => budget.take(trace(), 2 * MIB), { code: 'overloaded' })
  for (let i = 0; i < 32; i++) budget.take(trace(), MIB)
  assert.throws(() => budget.take(trace(), 1), { code: 'overloaded' })
})

test('one body of the greatest length has room in a budget that is smaller', (t) => {
  const { budget, trace } = budgetOf(t, 1)
  budget.take(trace(), 32 * MIB)
  assert.throws(() => budget.take(trace(), 2 * MIB), { code: 'overloaded' })
})

test('a body that stops coming is given up at the second look, and one that comes is not', async (t) => {
  const { budget } = budgetOf(t, 1)
  const slow = Promise.withResolvers<Error>()
  budget.watch({ fresh: 0, seen: false, giveUp: slow.resolve })
  let isGivenUp = false
  const fast = {
    fresh: 0,
    seen: true,
    giveUp: () => {
      isGivenUp = true
    },
  }
  Object.defineProperty(fast, 'fresh', { get: () => 100, set: () => {} })
  budget.watch(fast)
  assert.match((await slow.promise).message, /too slowly/)
  assert.equal(isGivenUp, false)
})
