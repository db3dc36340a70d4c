import { percentile } from '../analytics/histogram.ts'
import {
  addCellToTotals,
  addTotals,
  emptyTotals,
  OTHERS,
  type TrafficCell,
  type TrafficTotals,
} from '../analytics/traffic.ts'
import type { ShownKeys } from './find-shown-keys.ts'

/** What was counted of requests. Durations are in milliseconds; they are null where there was no request. */
export interface DescribedTotals {
  readonly requests: number
  /** Answered with 400 to 599. */
  readonly errors: number
  /** Answered with 500 to 599. */
  readonly failed: number
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly bytesIn: number
  readonly bytesOut: number
  /** Documents. */
  readonly read: number
  readonly written: number
}

/** Stands for what is not told apart: beyond those with most, or beyond what is kept. */
export interface MaybeOthers {
  readonly others?: true
}

/** Requests that have something in common. */
export type DescribedShare = MaybeOthers &
  Pick<DescribedTotals, 'requests' | 'errors' | 'p95' | 'bytesIn' | 'bytesOut'>

/** By whom, of what, and how it was done; null stands for what is not told apart. */
export interface DescribedPair
  extends MaybeOthers,
    Pick<DescribedTotals, 'requests' | 'errors' | 'p50' | 'p95' | 'read' | 'written'> {
  readonly key: ToldKey | null
  readonly collection: string | null
  readonly operation: string | null
}

/**
 * The empty id for requests without a key; the name is null for those, and for a key that is there no more. All keys together
 * that are not shown to whoever asks have neither.
 */
export interface ToldKey {
  readonly id?: string
  readonly name?: string | null
  readonly withheld?: true
}

/** Each list with most requests first, and the others last. */
export interface TrafficLists {
  readonly keys: readonly (DescribedShare & ToldKey)[]
  readonly collections: readonly (DescribedShare & { readonly name?: string })[]
  readonly operations: readonly (DescribedShare & { readonly operation?: string })[]
  readonly statuses: readonly (MaybeOthers & { readonly status?: number; readonly requests: number })[]
  readonly pairs: readonly DescribedPair[]
}

/** @param most entries of each list, beside the others */
export function breakDownTraffic(
  counted: readonly TrafficCell[],
  { keys, most }: { readonly keys: ShownKeys; readonly most: number },
): TrafficLists {
  const cells = counted.map((cell) => ({ ...cell, key: toldKey(cell.key, keys) }))
  const keyOf = (id: string): ToldKey =>
    id === WITHHELD ? { withheld: true } : { id, name: keys.names.get(id) ?? null }
  const by = <T>(nameOf: (cell: TrafficCell) => string, describe: (group: Group) => T): T[] =>
    ranked(groupsOf(cells, nameOf), most).map(describe)
  return {
    keys: by(
      ({ key }) => key,
      ({ cell, totals }) => ({ ...(cell === undefined ? OTHER : keyOf(cell.key)), ...share(totals) }),
    ),
    collections: by(
      ({ collection }) => collection,
      ({ cell, totals }) => ({
        ...(cell === undefined ? OTHER : { name: cell.collection }),
        ...share(totals),
      }),
    ),
    operations: by(
      ({ operation }) => operation,
      ({ cell, totals }) => ({
        ...(cell === undefined ? OTHER : { operation: cell.operation }),
        ...share(totals),
      }),
    ),
    statuses: by(
      ({ status }) => String(status),
      ({ cell, totals: { requests } }) => ({
        ...(cell === undefined ? OTHER : { status: cell.status }),
        requests,
      }),
    ),
    pairs: by(pairName, ({ cell, totals }) =>
      describePair(cell && { ...cell, key: keyOf(cell.key) }, totals),
    ),
  }
}

export function describeTotals(totals: TrafficTotals): DescribedTotals {
  const { requests, errors, failed, bytesIn, bytesOut, read, written, latency } = totals
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => milliseconds(percentile(latency, share)))
  return {
    ...{ requests, errors, failed, p50: p50!, p95: p95!, p99: p99! },
    ...{ bytesIn, bytesOut, read, written },
  }
}

/**
 * Those of which there is most, and what is left as others.
 * @param isOthers whether it stands for others already
 */
export function mostOf<T>(
  items: readonly T[],
  {
    most,
    sizeOf,
    isOthers,
  }: {
    readonly most: number
    readonly sizeOf: (item: T) => number
    readonly isOthers: (item: T) => boolean
  },
): { readonly kept: T[]; readonly others: T[] } {
  const [others, named] = [items.filter(isOthers), items.filter((item) => !isOthers(item))]
  const sorted = named.sort((a, b) => sizeOf(b) - sizeOf(a))
  return { kept: sorted.slice(0, most), others: [...sorted.slice(most), ...others] }
}

/** An id as whoever asks may be told it, or one that no key has. */
export function toldKey(id: string, { names, hasOthers }: ShownKeys): string {
  return id === '' || id === OTHERS || hasOthers || names.has(id) ? id : WITHHELD
}

/** No id can be this. */
const WITHHELD = '?'
const OTHER = Object.freeze({ others: true })

interface Group {
  /** One that is like all of them; undefined for the others. */
  readonly cell: TrafficCell | undefined
  readonly totals: TrafficTotals
}

function groupsOf(cells: readonly TrafficCell[], nameOf: (cell: TrafficCell) => string): Group[] {
  const groups = new Map<string, Group>()
  for (const cell of cells) {
    const name = nameOf(cell)
    const known = groups.get(name) ?? { cell: name === OTHERS ? undefined : cell, totals: emptyTotals() }
    groups.set(name, known)
    addCellToTotals(known.totals, cell)
  }
  return [...groups.values()]
}

function ranked(groups: readonly Group[], most: number): Group[] {
  const { kept, others } = mostOf(groups, {
    most,
    sizeOf: ({ totals }) => totals.requests,
    isOthers: ({ cell }) => cell === undefined,
  })
  if (others.length === 0) return kept
  const rest = emptyTotals()
  for (const { totals } of others) addTotals(rest, totals)
  return [...kept, { cell: undefined, totals: rest }]
}

function pairName({ key, collection, operation }: TrafficCell): string {
  return key === OTHERS || collection === OTHERS ? OTHERS : JSON.stringify([key, collection, operation])
}

function share(totals: TrafficTotals): DescribedShare {
  const { requests, errors, p95, bytesIn, bytesOut } = describeTotals(totals)
  return { requests, errors, p95, bytesIn, bytesOut }
}

function describePair(
  of: { readonly key: ToldKey; readonly collection: string; readonly operation: string } | undefined,
  totals: TrafficTotals,
): DescribedPair {
  const { requests, errors, p50, p95, read, written } = describeTotals(totals)
  return {
    ...{ key: of?.key ?? null, collection: of?.collection ?? null, operation: of?.operation ?? null },
    ...{ requests, errors, p50, p95, read, written },
    ...(of === undefined && { others: true as const }),
  }
}

/** To three digits, for buckets know no more. */
function milliseconds(duration: number | undefined): number | null {
  return duration === undefined ? null : Number(duration.toPrecision(3))
}
