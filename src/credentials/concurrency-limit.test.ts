import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcurrencyLimit } from './concurrency-limit.ts'

test('more than may wait are refused as overloaded, and the others are done in order', async () => {
  const limited = createConcurrencyLimit({ atOnce: 2, mostWaiting: 3 })
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const begun: number[] = []
  const doing = works.map(({ promise }, i) =>
    limited(() => {
      begun.push(i)
      return promise
    }),
  )
  await assert.rejects(
    limited(async () => assert.fail('it was refused')),
    { code: 'overloaded', retryAfterSeconds: 5 },
  )
  assert.deepEqual(begun, [0, 1])
  for (const [i, { resolve }] of works.entries()) {
    resolve(i)
    assert.equal(await doing[i], i)
    assert.deepEqual(begun, [0, 1, 2, 3, 4].slice(0, i + 3))
  }
  assert.equal(await limited(async () => 5), 5)
})

test('work that fails makes room, too', async () => {
  const limited = createConcurrencyLimit({ atOnce: 1, mostWaiting: 1 })
  const failing = limited(() => Promise.reject(new Error('the work')))
  const next = limited(async () => 'done')
  await assert.rejects(failing, { message: 'the work' })
  assert.equal(await next, 'done')
})
