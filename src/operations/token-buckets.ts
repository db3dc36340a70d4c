import type { Rate } from '../domain/key-rules.ts'

/** Keys whose use is counted at a time; beyond that the one counted longest begins anew. */
const BUCKETS = 100_000

interface Bucket {
  /** What is left, in requests times `perMs`: whole numbers, for fractions of a request don't add up to one. */
  left: number
  perMs: number
  /** The instant that `left` is right for. */
  at: number
}

/**
 * Takes one request from a key's allowance. Answers 0 where there was one, else how many milliseconds until there is.
 */
export type TakeRequest = (keyId: string, rate: Rate) => number

/**
 * Counts requests by token buckets: an allowance of `rate.requests` that may be used up at once and fills again
 * evenly in `rate.perMs`. The clock may step: back, it only delays the filling; forward, it fills no bucket over.
 */
export function createTokenBuckets(now: () => number): TakeRequest {
  const buckets = new Map<string, Bucket>()

  function bucketOf(keyId: string, { requests, perMs }: Rate, at: number): Bucket {
    const known = buckets.get(keyId)
    if (known === undefined) {
      if (buckets.size >= BUCKETS) buckets.delete(buckets.keys().next().value!)
      const bucket = { left: requests * perMs, perMs, at }
      buckets.set(keyId, bucket)
      return bucket
    }
    if (known.perMs !== perMs) known.left = Math.floor((known.left / known.perMs) * perMs)
    known.perMs = perMs
    return known
  }

  return (keyId, rate) => {
    const { requests, perMs } = rate
    const at = now()
    const bucket = bucketOf(keyId, rate, at)
    const filled = Math.max(0, at - bucket.at) * requests
    bucket.left = Math.min(requests * perMs, bucket.left + filled)
    bucket.at = at
    if (bucket.left < perMs) return (perMs - bucket.left) / requests
    bucket.left -= perMs
    return 0
  }
}
