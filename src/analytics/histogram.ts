/**
 * How many durations fell into each bucket: the indexes of buckets in turn with their counts, in the order of the indexes,
 * those alone that have any. The buckets are the same everywhere and always, so that histograms of different threads and
 * hours add up.
 */
export type Histogram = number[]

/** Bucket 0 ends here. */
const LEAST_MS = 0.05
/** Each bucket ends at 2^(1/8) of the end of the one before, so that its geometric middle is within 4.5 % of what is in it. */
const BUCKETS_PER_DOUBLING = 8
/** The last of those with an end, at 125 s. */
const LAST_BOUNDED = 170
/** Has all that is longer. */
export const LAST_BUCKET = LAST_BOUNDED + 1
export const BUCKETS = LAST_BUCKET + 1

/** @param ms what is no number or negative is taken for 0 */
export function bucketOf(ms: number): number {
  if (!(ms > LEAST_MS)) return 0
  const index = Math.ceil(Math.log2(ms / LEAST_MS) * BUCKETS_PER_DOUBLING)
  return index > LAST_BOUNDED ? LAST_BUCKET : index
}

/** The longest duration that a bucket takes, in ms. */
export function upperBoundMs(bucket: number): number {
  return bucket >= LAST_BUCKET ? Number.POSITIVE_INFINITY : LEAST_MS * 2 ** (bucket / BUCKETS_PER_DOUBLING)
}

export function addDuration(histogram: Histogram, ms: number): void {
  addCount(histogram, bucketOf(ms), 1)
}

/** Adds what another has. */
export function mergeHistogram(into: Histogram, from: Histogram): void {
  if (into.length === 0) {
    for (const number of from) into.push(number)
    return
  }
  let at = 0
  for (let i = 0; i < from.length; i += 2) at = addCount(into, from[i]!, from[i + 1]!, at)
}

export function countOf(histogram: Histogram): number {
  let count = 0
  for (let i = 1; i < histogram.length; i += 2) count += histogram[i]!
  return count
}

/** How many durations were in buckets that end by `ms`; exact at the ends of buckets, which are 0.05 ms · 2^(n/8). */
export function countUpTo(histogram: Histogram, ms: number): number {
  const last = ms < LEAST_MS ? -1 : Math.floor(Math.log2(ms / LEAST_MS) * BUCKETS_PER_DOUBLING + 1e-9)
  let count = 0
  for (let i = 0; i < histogram.length && histogram[i]! <= last; i += 2) count += histogram[i + 1]!
  return count
}

/**
 * The duration in ms that a share of all was not longer than, by the nearest rank; undefined where there is none. Within
 * 5 % for what lies between 0.05 ms and 125 s.
 * @param share such as 0.95
 */
export function percentile(histogram: Histogram, share: number): number | undefined {
  const count = countOf(histogram)
  if (count === 0) return undefined
  const rank = Math.max(1, Math.ceil(share * count - 1e-9))
  let seen = 0
  for (let i = 0; i < histogram.length; i += 2) {
    seen += histogram[i + 1]!
    if (seen >= rank) return middleMs(histogram[i]!)
  }
  return undefined
}

function middleMs(bucket: number): number {
  if (bucket === 0) return LEAST_MS
  if (bucket >= LAST_BUCKET) return upperBoundMs(LAST_BOUNDED)
  return LEAST_MS * 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING)
}

/**
 * @param from where the search begins
 * @returns where the bucket is
 */
function addCount(histogram: Histogram, bucket: number, count: number, from = 0): number {
  let at = from
  while (at < histogram.length && histogram[at]! < bucket) at += 2
  if (histogram[at] === bucket) histogram[at + 1]! += count
  else histogram.splice(at, 0, bucket, count)
  return at
}
