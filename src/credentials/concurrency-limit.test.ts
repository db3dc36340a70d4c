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

test('who asks for much keeps nobody else out, nor waiting for more than a turn', async () => {
  const limited = createConcurrencyLimit({ atOnce: 1, mostWaiting: 4 })
  const first = Promise.withResolvers<void>()
  const done: string[] = []
  const ask = (from: string, name: string) => limited(async () => void done.push(name), from)
  const running = limited(() => first.promise, 'flood')
  const floods = [1, 2, 3, 4].map((number) => ask('flood', `flood ${number}`))
  const outcomes = Promise.allSettled(floods)
  await assert.rejects(ask('flood', 'one more'), { code: 'overloaded' })
  const others = ['ada', 'bob', 'eve'].map((name) => ask(name, name))
  // Each took the place of one of the flood, of which one is left; nobody has more than another now.
  await assert.rejects(ask('mary', 'mary'), { code: 'overloaded' })
  first.resolve()
  await Promise.all([running, ...others])
  const statuses = (await outcomes).map(({ status }) => status)
  assert.deepEqual(statuses, ['fulfilled', 'rejected', 'rejected', 'rejected'])
  assert.deepEqual(done, ['flood 1', 'ada', 'bob', 'eve'])
  const again = [
    ask('flood', 'flood 5'),
    ask('flood', 'flood 6'),
    ask('flood', 'flood 7'),
    ask('ada', 'ada 2'),
  ]
  await Promise.all(again)
  assert.deepEqual(done.slice(4), ['flood 5', 'flood 6', 'ada 2', 'flood 7'])
})
