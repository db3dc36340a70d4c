import type { Rate } from '../domain/key-rules.ts'
import { createTable, type SharedRecord, SharedTable, type TableMemory } from '../shared-memory/table.ts'

/** Keys whose use is counted at a time. */
const BUCKETS = 80_000

/** What is left, in requests times `perMs`: whole numbers, for fractions of a request don't add up to one. */
const LEFT = 0
/** The `perMs` that `left` is in; 0 in a new bucket. */
const PER_MS = 1
/** The instant that `left` is right for. */
const AT = 2
/** The instant from which the bucket is full, where nothing more is taken. */
const FULL_AT = 3
const FIELDS = 4

/** By how much the clocks of two threads may differ; one that is further back was set back. */
const CLOCKS_DIFFER_MS = 1000

/**
 * Takes one request from a key's allowance. Answers 0 where there was one, else how many milliseconds until there is.
 */
export type TakeRequest = (keyId: string, rate: Rate) => number

/** Memory for the buckets, which all threads that count the same requests have to share. */
export function createBuckets(): TableMemory {
  return createTable({ names: BUCKETS, fields: FIELDS })
}

/**
 * Counts requests by token buckets: an allowance of `rate.requests` that may be used up at once and fills again
 * evenly in `rate.perMs`. The clock may step: back, it only delays the filling; forward, it fills no bucket over.
 * A bucket that is full is forgotten where another key needs its place; a key that finds no place has to wait.
 */
export function createTokenBuckets(now: () => number, memory = createBuckets()): TakeRequest {
  const isFull = ({ values, at }: SharedRecord): boolean => values[at + FULL_AT]! <= now()
  const buckets = new SharedTable(memory, isFull)
  return (keyId, rate) =>
    buckets.use(keyId, (bucket) =>
      bucket === undefined ? rate.perMs / rate.requests : takeFrom(bucket, rate, now()),
    )
}

function takeFrom({ values, at }: SharedRecord, { requests, perMs }: Rate, time: number): number {
  const full = requests * perMs
  const knownPerMs = values[at + PER_MS]!
  const since = values[at + AT]!
  let left = knownPerMs === 0 ? full : values[at + LEFT]!
  if (knownPerMs !== 0 && knownPerMs !== perMs) left = Math.floor((left / knownPerMs) * perMs)
  left = Math.min(full, left + Math.max(0, time - since) * requests)
  const isThere = left >= perMs
  if (isThere) left -= perMs
  values[at + LEFT] = left
  values[at + PER_MS] = perMs
  // Not a little back, or what another thread's clock is behind by would fill the bucket twice.
  values[at + AT] = since - time > CLOCKS_DIFFER_MS ? time : Math.max(since, time)
  values[at + FULL_AT] = time + (full - left) / requests
  return isThere ? 0 : (perMs - left) / requests
}
