import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HandshakePace } from './handshake-pace.ts'

it('handshakes that come at once are spread over turns of the event loop, in their order', async () => {
  let now = 0
  const pace = new HandshakePace(() => now)
  const started: number[] = []
  const counts: number[] = []
  for (let n = 0; n < 10; n++)
    pace.start(() => {
      started.push(n)
      process.nextTick(() => {
        now += 0.6
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

it('a handshake that starts another one leaves it to a later place', async () => {
  const pace = new HandshakePace(() => 0)
  const started: string[] = []
  pace.start(() => {
    started.push('first')
    pace.start(() => started.push('third'))
  })
  pace.start(() => started.push('second'))
  await nextTurn()
  assert.deepEqual(started, ['first', 'second', 'third'])
})
