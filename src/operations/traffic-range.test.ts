import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stepsOf, trafficRange } from './traffic-range.ts'

/** A Sunday. */
const NOW = Date.parse('2026-11-29T15:07:42.500Z')
const at = (text: string): number => Date.parse(`2026-${text}:00Z`) / 1000

describe('the time of a view of traffic', () => {
  it('that has another name is refused', () => {
    for (const name of [undefined, '', 'year', 'Hour', 'toString', '__proto__'])
      assert.throws(() => trafficRange(name, NOW, false), { code: 'invalid_parameter' })
  })

  it('is 60 minutes with the one under way, beside which are two whole hours', () => {
    const range = trafficRange('hour', NOW, false)
    assert.deepEqual(range, {
      ...{ name: 'hour', step: 'minute', from: at('11-29T14:08'), to: at('11-29T15:08') },
      before: { from: at('11-29T13:08'), to: at('11-29T14:08') },
      cells: { step: 'hour', from: at('11-29T14:00'), to: at('11-29T16:00') },
    })
    assert.equal(stepsOf(range, range.step).length, 60)
  })

  it('is 24 clock hours', () => {
    const day = { from: at('11-28T16:00'), to: at('11-29T16:00') }
    assert.deepEqual(trafficRange('day', NOW, false), {
      ...{ name: 'day', step: 'hour', ...day },
      before: { from: at('11-27T16:00'), to: at('11-28T16:00') },
      cells: { step: 'hour', ...day },
    })
  })

  it('is the hours of 7 days up to now, and the same of the 7 days before', () => {
    const range = trafficRange('week', NOW, false)
    assert.deepEqual(range, {
      ...{ name: 'week', step: 'hour', from: at('11-23T00:00'), to: at('11-29T16:00') },
      before: { from: at('11-16T00:00'), to: at('11-22T16:00') },
      cells: { step: 'day', from: at('11-23T00:00'), to: at('11-30T00:00') },
    })
    assert.equal(stepsOf(range, range.step).length, 6 * 24 + 16)
  })

  it('is 30 days', () => {
    const month = { from: at('10-31T00:00'), to: at('11-30T00:00') }
    assert.deepEqual(trafficRange('month', NOW, false), {
      ...{ name: 'month', step: 'day', ...month },
      before: { from: at('10-01T00:00'), to: at('10-31T00:00') },
      cells: { step: 'day', ...month },
    })
  })

  it('of one key is of whole hours and days, by which keys are told apart', () => {
    const { step, from, to, before } = trafficRange('hour', NOW, true)
    assert.deepEqual({ step, from, to }, { step: 'hour', from: at('11-29T14:00'), to: at('11-29T16:00') })
    assert.deepEqual(before, { from: at('11-29T12:00'), to: at('11-29T14:00') })
    const week = trafficRange('week', NOW, true)
    assert.deepEqual([week.step, stepsOf(week, week.step).length], ['day', 7])
  })
})
