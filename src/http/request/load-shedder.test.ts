import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoadShedder } from './load-shedder.ts'

const LOOK_MS = 100

/** A gauge whose looks come late by as much as is said. */
function gauge(open: () => number = () => 0) {
  const overload = new LoadShedder({ openRequests: 10, eventLoopDelayMs: 500, open, warn: () => {} })
  overload.close()
  let now = performance.now() + 10
  overload.look(now)
  return {
    overload,
    look(lateMs: number, times = 1): void {
      for (let i = 0; i < times; i++) {
        now += LOOK_MS + lateMs
        overload.look(now)
      }
    },
  }
}

test('one long pause is no overload', () => {
  const { overload, look } = gauge()
  look(2000)
  assert.equal(overload.isNow(), false)
})

test('an event loop that is late for a second is, and recovers within one', () => {
  const { overload, look } = gauge()
  look(1000, 4)
  assert.equal(overload.isNow(), true)
  look(0, 10)
  assert.equal(overload.isNow(), false)
})

test('as many open requests as are allowed are no overload, and one more is', () => {
  let open = 10
  const { overload } = gauge(() => open)
  assert.equal(overload.isNow(), false)
  open++
  assert.equal(overload.isNow(), true)
  open--
  assert.equal(overload.isNow(), false)
})
