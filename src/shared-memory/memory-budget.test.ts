import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedMemory, MemoryBudget } from './memory-budget.ts'

test('what is taken on one thread is not there for another, until it is given back', () => {
  const shared = createSharedMemory(6400)
  const [one, other] = [new MemoryBudget(shared), new MemoryBudget(shared)]
  const [held, second] = [one.begin(), other.begin()]
  assert.ok(held.take(5000))
  assert.ok(!second.take(1000))
  held.release()
  held.release()
  assert.equal(other.heldBytes, 0)
  assert.ok(second.take(1000))
})

test('large takers leave a sixth to those who take a sixty-fourth at most', () => {
  const budget = new MemoryBudget(createSharedMemory(6400))
  const large = budget.begin()
  assert.ok(!large.take(5334))
  assert.ok(large.take(5333))
  assert.ok(!budget.begin().take(101))
  for (let n = 0; n < 10; n++) assert.ok(budget.begin().take(100))
  assert.ok(!budget.begin().take(100))
})

test('who takes little by little becomes a large taker', () => {
  const budget = new MemoryBudget(createSharedMemory(6400))
  assert.ok(budget.take(5300))
  const held = budget.begin()
  assert.ok(held.take(100))
  assert.ok(!held.take(1))
})
