import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyUses } from './key-uses.ts'

const unexpected = (error: unknown): never => assert.fail(String(error))

test('uses are handed over once a minute, the latest of each key', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1000 })
  const handed: unknown[] = []
  const keyUses = createKeyUses({
    now: Date.now,
    record: (uses) => handed.push([...uses]),
    onFailure: unexpected,
  })
  keyUses.note('a')
  keyUses.note('b')
  t.mock.timers.tick(59_999)
  keyUses.note('a')
  assert.deepEqual(handed, [])
  t.mock.timers.tick(1)
  assert.deepEqual(handed, [
    [
      ['a', 60_999],
      ['b', 1000],
    ],
  ])
  t.mock.timers.tick(600_000)
  assert.equal(handed.length, 1)
  keyUses.note('b')
  t.mock.timers.tick(60_000)
  assert.deepEqual(handed[1], [['b', 661_000]])
})

test('closing hands over what is left, and nothing twice', async () => {
  const handed: unknown[] = []
  const keyUses = createKeyUses({
    now: () => 5,
    record: (uses) => handed.push([...uses]),
    onFailure: unexpected,
  })
  await keyUses.close()
  assert.deepEqual(handed, [])
  keyUses.note('a')
  await keyUses.close()
  await keyUses.close()
  assert.deepEqual(handed, [[['a', 5]]])
})

test('a failure to write is reported and stops nothing', async () => {
  const failures: unknown[] = []
  const keyUses = createKeyUses({
    now: () => 5,
    record: () => Promise.reject(new Error('disk full')),
    onFailure: (error) => failures.push(error),
  })
  for (let i = 1; i <= 2; i += 1) {
    keyUses.note('a')
    await keyUses.close()
    assert.equal(failures.length, i)
  }
})
