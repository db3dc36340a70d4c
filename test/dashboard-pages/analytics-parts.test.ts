import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { comparisonWords } from '../../dashboard/src/analytics/comparison.ts'
import { EventParser } from '../../dashboard/src/analytics/live-tail.ts'
import { daysOf, stepWords, timeMarks } from '../../dashboard/src/analytics/time-steps.ts'
import { duration } from '../../dashboard/src/texts/analytics.ts'
import { randomCases } from '../random-cases.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** 2026-11-29T00:00:00Z. */
const MIDNIGHT = 1_795_910_400

describe('a stream of events', () => {
  const stream =
    ': hello\n\nevent: request\ndata: {"a":1}\n\ndata: two\r\ndata:  lines\r\n\r\nevent: nothing\n\nevent:skipped\ndata:3\nid: 7\n\nrest'
  const events = [
    { event: 'request', data: '{"a":1}' },
    { event: '', data: 'two\n lines' },
    { event: 'skipped', data: '3' },
  ]

  it('says the same wherever its pieces end', () => {
    const ends = fc.array(fc.nat({ max: stream.length }))
    fc.assert(
      fc.property(ends, (given) => {
        const parser = new EventParser()
        const cuts = [0, ...given.toSorted((a, b) => a - b), stream.length]
        const taken = cuts.slice(1).flatMap((end, index) => parser.push(stream.slice(cuts[index], end)))
        assert.deepEqual(taken, events)
      }),
      randomCases(),
    )
  })
})

describe('a figure beside that of the time before', () => {
  const than = (now: number | null, before: number | null | undefined, isDuration = false) =>
    comparisonWords({ now, before, range: 'day', isDuration })

  it('is told in words, by a share or by how many times as much it is', () => {
    assert.equal(than(5, undefined), 'nothing is known of before')
    assert.equal(than(5, 0), 'none in the 24 hours before')
    assert.equal(than(5, null, true), 'none in the 24 hours before')
    assert.equal(than(0, 0), 'as in the 24 hours before')
    assert.equal(than(112, 100), '12% more than in the 24 hours before')
    assert.equal(than(97.5, 100), '2.5% less than in the 24 hours before')
    assert.equal(than(0, 4), '100% less than in the 24 hours before')
    assert.equal(than(45, 10), '4.5 times as much as in the 24 hours before')
    assert.equal(than(9, 3, true), '200% slower than in the 24 hours before')
    assert.equal(than(2, 4, true), '50% faster than in the 24 hours before')
    assert.equal(than(null, 4, true), 'no request now, some in the 24 hours before')
  })
})

describe('the times of a chart', () => {
  it('are marked at whole hours and days, as many as there is room for', () => {
    const day = { from: MIDNIGHT - 5 * HOUR, to: MIDNIGHT + 19 * HOUR }
    assert.deepEqual(
      timeMarks(day, 6).map((at) => (at - MIDNIGHT) / HOUR),
      [-4, 0, 4, 8, 12, 16],
    )
    assert.deepEqual(
      timeMarks(day, 3).map((at) => (at - MIDNIGHT) / HOUR),
      [0, 12],
    )
    const month = { from: MIDNIGHT - 29 * DAY, to: MIDNIGHT + DAY }
    assert.deepEqual(
      timeMarks(month, 6).map((at) => (at - MIDNIGHT) / DAY),
      [-29, -24, -19, -14, -9, -4, 1],
    )
  })

  it('are told in UTC', () => {
    assert.equal(stepWords(MIDNIGHT + 14 * HOUR, HOUR), 'Nov 29, 14:00 to 15:00 UTC')
    assert.equal(stepWords(MIDNIGHT, DAY), 'Nov 29')
  })

  it('that are known by the day are told as the days that they have a part of', () => {
    const hour = { from: '2026-11-29T23:20:00.000Z', to: '2026-11-30T00:00:00.000Z' }
    assert.deepEqual(daysOf(hour), ['Nov 29', 'Nov 29'])
    assert.deepEqual(daysOf({ ...hour, to: '2026-11-30T00:01:00.000Z' }), ['Nov 29', 'Nov 30'])
  })

  it('that something took have three digits at most', () => {
    assert.deepEqual([0.074, 0.4, 9.5, 12.4, 999, 1234].map(duration), [
      '0.07 ms',
      '0.4 ms',
      '9.5 ms',
      '12 ms',
      '999 ms',
      '1.2 s',
    ])
  })
})
