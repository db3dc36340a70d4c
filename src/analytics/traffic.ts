import { type Histogram, mergeHistogram } from './histogram.ts'

/**
 * What a request does. `save` is also an insert, `count` the number of documents alone, `token` makes a token of a key, `site`
 * asks for a file of a site.
 */
export const OPERATIONS = [
  'find',
  'get',
  'count',
  'save',
  'update',
  'delete',
  'token',
  'site',
  'other',
] as const

export type Operation = (typeof OPERATIONS)[number]

/**
 * Stands where a bound was reached for the keys, collections, paths, referrers or codes that are left. None of those can be
 * this: a collection's name has no `/` and doesn't begin with `$`, a path begins with `/`, and a host has none.
 */
export const OTHERS = '$/'

/** Sums over requests. */
export interface Counted {
  requests: number
  /** Of bodies as they were sent, compressed where they were. */
  bytesIn: number
  bytesOut: number
  /** Documents. */
  read: number
  written: number
  /** From the first byte of a request's head to the end of its answer. */
  latency: Histogram
}

/** Of an app, or of requests that are for none. */
export interface TrafficTotals extends Counted {
  /** Answered with 400 to 599. */
  errors: number
  /** Answered with 500 to 599. */
  failed: number
}

/** The requests that are alike in all of this. */
export interface TrafficCell extends Counted {
  /** The id of the key, the empty text without one, or `OTHERS`. */
  key: string
  /** The empty text without one, or `OTHERS`. */
  collection: string
  operation: Operation
  status: number
}

export type CellName = Pick<TrafficCell, 'key' | 'collection' | 'operation' | 'status'>

export function isError(status: number): boolean {
  return status >= 400
}

function isFailed(status: number): boolean {
  return status >= 500
}

export function emptyTotals(): TrafficTotals {
  return {
    requests: 0,
    errors: 0,
    failed: 0,
    bytesIn: 0,
    bytesOut: 0,
    read: 0,
    written: 0,
    latency: [],
  }
}

export function emptyCell({ key, collection, operation, status }: CellName): TrafficCell {
  return {
    ...{ key, collection, operation, status },
    requests: 0,
    bytesIn: 0,
    bytesOut: 0,
    read: 0,
    written: 0,
    latency: [],
  }
}

export function addTotals(into: TrafficTotals, from: TrafficTotals): void {
  addCounted(into, from)
  into.errors += from.errors
  into.failed += from.failed
}

/** Adds what a cell counted, whose status says what of it are errors. */
export function addCellToTotals(into: TrafficTotals, cell: TrafficCell): void {
  addCounted(into, cell)
  if (isError(cell.status)) into.errors += cell.requests
  if (isFailed(cell.status)) into.failed += cell.requests
}

/** Adds the sums alone. */
export function addCounted(into: Counted, from: Counted): void {
  into.requests += from.requests
  into.bytesIn += from.bytesIn
  into.bytesOut += from.bytesOut
  into.read += from.read
  into.written += from.written
  mergeHistogram(into.latency, from.latency)
}
