import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Pace } from './pace.ts'

it('work that comes at once is spread over turns of the event loop, in its order', async () => {
  let now = 0
  const pace = new Pace(() => now)
  const started: number[] = []
  const counts: number[] = []
  for (let n = 0; n < 10; n++)
    pace.start('a', () => {
      started.push(n)
      process.nextTick(() => {
        now += 0.3
      })
    })
  assert.deepEqual(started, [])
  while (started.length < 10) {
    await nextTurn()
    counts.push(started.length)
  }
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(counts, [4, 8, 10])
})

it('a piece of work that starts another one leaves it to a later place', async () => {
  const pace = new Pace(() => 0)
  const started: string[] = []
  pace.start('a', () => {
    started.push('first')
    pace.start('a', () => started.push('third'))
  })
  pace.start('a', () => started.push('second'))
  await nextTurn()
  assert.deepEqual(started, ['first', 'second', 'third'])
})

it('a network waits for no other one that has a lot to be done', async () => {
  const pace = new Pace(() => 0)
  const started: string[] = []
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
    pace.start(name[0]!, () => started.push(name))
  await nextTurn()
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

it('connections that come go first, but not for long, and not while turns are long', async () => {
  let now = 0
  const pace = new Pace(() => now)
  let isStarted = false
  pace.arrive()
  pace.start('a', () => {
    isStarted = true
  })
  await nextTurn()
  assert.equal(isStarted, false)
  pace.arrive()
  now += 2
  await nextTurn()
  assert.equal(isStarted, true)
  isStarted = false
  pace.start('a', () => {
    isStarted = true
  })
  pace.arrive()
  now += 2
  await nextTurn()
  assert.equal(isStarted, true)
})
