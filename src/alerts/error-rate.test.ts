import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ErrorRate } from './error-rate.ts'

const MINUTE_MS = 60_000
const told = (failed: number, requests: number, percent: string) => [
  {
    subject: 'requests',
    message: `${failed} of the ${requests} requests of the last 5 minutes failed (${percent} %), with a status of 500 or above`,
  },
]

describe('the part of requests that fail', () => {
  it('is told from 5 percent of 100 on, and until it is half of that', () => {
    const rate = new ErrorRate(5, 0)
    assert.deepEqual(rate.look({ requests: 99, failed: 99 }, MINUTE_MS, false), [])
    assert.deepEqual(rate.look({ requests: 100, failed: 99 }, 2 * MINUTE_MS, false), told(99, 100, '99.0'))
    // The first minute's are out of the window: 1 of 1 + 39.
    assert.deepEqual(rate.look({ requests: 139, failed: 100 }, 6 * MINUTE_MS, true), told(1, 40, '2.5'))
    assert.deepEqual(rate.look({ requests: 140, failed: 100 }, 6 * MINUTE_MS, true), [])
    assert.deepEqual(rate.look({ requests: 1140, failed: 149 }, 7 * MINUTE_MS, false), [])
    assert.deepEqual(rate.look({ requests: 1141, failed: 152 }, 7 * MINUTE_MS, false), told(53, 1041, '5.1'))
  })

  it('is told on after a start until five minutes say that it is over', () => {
    const rate = new ErrorRate(50, 0)
    assert.equal(rate.look({ requests: 0, failed: 0 }, MINUTE_MS, true), undefined)
    assert.equal(rate.look({ requests: 500, failed: 1 }, 4 * MINUTE_MS, true), undefined)
    assert.deepEqual(rate.look({ requests: 500, failed: 1 }, 5 * MINUTE_MS, true), [])
  })

  it('counts no longer than five minutes back, however seldom it is looked', () => {
    const rate = new ErrorRate(5, 0)
    rate.look({ requests: 1000, failed: 1000 }, MINUTE_MS, false)
    assert.deepEqual(rate.look({ requests: 1200, failed: 1000 }, 60 * MINUTE_MS, false), [])
    assert.deepEqual(rate.look({ requests: 1200, failed: 1000 }, 70 * MINUTE_MS, true), [])
  })
})
