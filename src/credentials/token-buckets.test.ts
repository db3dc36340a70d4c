import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBuckets, createTokenBuckets } from './token-buckets.ts'

const HALF_MINUTE = { requests: 2, perMs: 60_000 }

test('threads that share the memory take from one bucket', () => {
  const clock = { now: 1_000_000 }
  const memory = createBuckets()
  const one = createTokenBuckets(() => clock.now, memory)
  const other = createTokenBuckets(() => clock.now, memory)
  assert.deepEqual([one('k', HALF_MINUTE), other('k', HALF_MINUTE), one('k', HALF_MINUTE)], [0, 0, 30_000])
  clock.now += 30_000
  assert.deepEqual([other('k', HALF_MINUTE), one('k', HALF_MINUTE)], [0, 30_000])
})

test('a thread whose clock is a little behind fills no bucket', () => {
  const memory = createBuckets()
  const ahead = createTokenBuckets(() => 1_000_002, memory)
  const behind = createTokenBuckets(() => 1_000_000, memory)
  assert.deepEqual([ahead('k', HALF_MINUTE), behind('k', HALF_MINUTE)], [0, 0])
  assert.deepEqual([behind('k', HALF_MINUTE), ahead('k', HALF_MINUTE)], [30_000, 30_000])
})

test('a key for which there is no room waits until the buckets of others are full again', () => {
  const clock = { now: 1_000_000 }
  const take = createTokenBuckets(() => clock.now)
  let keys = 0
  while (take(`k${keys}`, HALF_MINUTE) === 0) keys++
  assert.ok(keys >= 80_000, `${keys} keys`)
  assert.equal(take(`k${keys}`, HALF_MINUTE), 30_000)
  clock.now += 30_000
  assert.equal(take(`k${keys}`, HALF_MINUTE), 0)
})
