import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoadShedder } from './load-shedder.ts'

const SAMPLE_MS = 100

/** A gauge whose samples come late by as much as is said. */
function gauge(open: () => number = () => 0) {
  const shedder = new LoadShedder({ openRequests: 10, eventLoopDelayMs: 500, open, warn: () => {} })
  shedder.close()
  let now = performance.now() + 10
  shedder.sample(now)
  return {
    shedder,
    sample(lateMs: number, times = 1): void {
      for (let i = 0; i < times; i++) {
        now += SAMPLE_MS + lateMs
        shedder.sample(now)
      }
    },
  }
}

test('one long pause is no overload', () => {
  const { shedder, sample } = gauge()
  sample(2000)
  assert.equal(shedder.isOverloaded(), false)
})

test('an event loop that is late for a second is, and recovers within one', () => {
  const { shedder, sample } = gauge()
  sample(1000, 4)
  assert.equal(shedder.isOverloaded(), true)
  sample(0, 10)
  assert.equal(shedder.isOverloaded(), false)
})

test('as many open requests as are allowed are no overload, and one more is', () => {
  let open = 10
  const { shedder } = gauge(() => open)
  assert.equal(shedder.isOverloaded(), false)
  open++
  assert.equal(shedder.isOverloaded(), true)
  open--
  assert.equal(shedder.isOverloaded(), false)
})
