import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addDuration,
  bucketOf,
  countOf,
  countUpTo,
  type Histogram,
  LAST_BUCKET,
  mergeHistogram,
  percentile,
  upperBoundMs,
} from './histogram.ts'

function histogramOf(durations: readonly number[]): Histogram {
  const histogram: Histogram = []
  for (const ms of durations) addDuration(histogram, ms)
  return histogram
}

/** The same numbers each time: a linear congruential generator (Numerical Recipes). */
function durations(count: number): number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    // From 0.1 ms to 100 s, as many in each order of magnitude.
    return 0.1 * 10 ** (6 * (state / 2 ** 32))
  })
}

describe('a histogram of durations', () => {
  it('takes what is no duration for none, and what is too long for the longest', () => {
    assert.deepEqual(histogramOf([Number.NaN, -1, 0, 0.05, Number.POSITIVE_INFINITY, 1e9]), [
      0,
      4,
      LAST_BUCKET,
      2,
    ])
    assert.equal(percentile([LAST_BUCKET, 1], 0.5), upperBoundMs(LAST_BUCKET - 1))
    assert.ok(upperBoundMs(LAST_BUCKET - 1) >= 120_000)
    assert.equal(upperBoundMs(LAST_BUCKET), Number.POSITIVE_INFINITY)
  })

  it('has no percentile of nothing', () => {
    assert.equal(percentile([], 0.5), undefined)
  })

  it('puts each duration into the bucket that ends behind it', () => {
    for (const ms of durations(2000)) {
      const bucket = bucketOf(ms)
      assert.ok(ms <= upperBoundMs(bucket) * (1 + 1e-9), `${ms} is above bucket ${bucket}`)
      assert.ok(ms >= upperBoundMs(bucket - 1) * (1 - 1e-9), `${ms} is below bucket ${bucket}`)
    }
  })

  it('gives percentiles within 5 %', () => {
    const all = durations(20_000)
    const sorted = [...all].sort((a, b) => a - b)
    const histogram = histogramOf(all)
    for (const share of [0.01, 0.5, 0.95, 0.99, 1]) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1]!
      const error = Math.abs(percentile(histogram, share)! - exact) / exact
      assert.ok(error <= 0.05, `p${share * 100} is ${error * 100} % off`)
    }
  })

  it('adds up: two make what one would be', () => {
    const all = durations(500)
    const sum = histogramOf(all.slice(0, 100))
    mergeHistogram(sum, histogramOf(all.slice(100)))
    assert.deepEqual(sum, histogramOf(all))
    assert.equal(countOf(sum), 500)
    const copy: Histogram = []
    mergeHistogram(copy, sum)
    assert.deepEqual(copy, sum)
  })

  it('counts what was not longer than the end of a bucket', () => {
    // 0.8 ms is 0.05 ms doubled four times.
    const histogram = histogramOf([0.05, 0.7, 0.8, 0.81, 200_000])
    assert.equal(countUpTo(histogram, 0.05), 1)
    assert.equal(countUpTo(histogram, 0.8), 3)
    assert.equal(countUpTo(histogram, 0.01), 0)
    assert.equal(countUpTo(histogram, 100_000), 4)
    assert.equal(countUpTo(histogram, Number.POSITIVE_INFINITY), 5)
  })
})
