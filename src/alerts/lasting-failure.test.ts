import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LastingFailure } from './lasting-failure.ts'

const failure = { subject: 'traffic', message: 'the disk is full' }

describe('what fails now and then', () => {
  it('is told after a minute of nothing else, and until it has gone well for as long', () => {
    const lasting = new LastingFailure()
    const failed = (at: number, isFiring = false) => lasting.look({ failure, at, isFiring })
    const went = (at: number, isFiring = false) => lasting.look({ failure: undefined, at, isFiring })
    for (const at of [0, 59_999]) assert.equal(failed(at), undefined)
    assert.equal(went(60_000), undefined)
    for (const at of [60_001, 120_000]) assert.equal(failed(at), undefined)
    assert.deepEqual(failed(120_001), [failure])
    assert.equal(failed(180_000, true), undefined)
    assert.equal(went(180_001, true), undefined)
    assert.equal(failed(240_000, true), undefined)
    for (const at of [240_001, 300_000]) assert.equal(went(at, true), undefined)
    assert.deepEqual(went(300_001, true), [])
  })
})
