import { emptyRegisters, mergeRegisters } from '../../analytics/distinct-addresses.ts'
import { boundCells, mergeCells, mergeErrors, mergeVisits } from '../../analytics/merge-deltas.ts'
import { type PackableKind, pack, unpack } from '../../analytics/pack.ts'
import { addTotals, emptyTotals, OTHERS } from '../../analytics/traffic.ts'
import type { TrafficKind, TrafficValues } from '../traffic-store.ts'

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS
/** Of an app in an hour or a day: those beyond are added up. */
const MOST_CELLS = 4000
const MOST_COLLECTIONS = 1000

interface KindRule<Kind extends TrafficKind> {
  readonly packed: PackableKind
  readonly keptSeconds: number
  /** Whether it goes first where all is too much. */
  readonly isDetail: boolean
  /** What an addition makes of what there is; without that, of nothing. It may change the former. */
  readonly add: (from: TrafficValues[Kind], into?: TrafficValues[Kind]) => TrafficValues[Kind]
}

const MINUTES = { keptSeconds: 7 * DAY_SECONDS, isDetail: true } as const
const HOURS = { keptSeconds: 90 * DAY_SECONDS, isDetail: true } as const
const DAYS = { keptSeconds: 731 * DAY_SECONDS, isDetail: false } as const

const TOTALS = {
  packed: 'totals',
  add: (from, into = emptyTotals()) => {
    addTotals(into, from)
    return into
  },
} as const satisfies Partial<KindRule<'hour'>>

const CELLS = {
  packed: 'cells',
  add: (from, into = []) => {
    // All of both are there before those with fewest requests are found.
    mergeCells(into, from, into.length + from.length)
    return boundCells(into, MOST_CELLS)
  },
} as const satisfies Partial<KindRule<'hour-cells'>>

const STORAGE = {
  packed: 'storage',
  add: (from) => {
    const sorted = from.toSorted((a, b) => b.bytes + b.indexBytes - a.bytes - a.indexBytes)
    const others = { name: OTHERS, documents: 0, bytes: 0, indexBytes: 0 }
    for (const { documents, bytes, indexBytes } of sorted.slice(MOST_COLLECTIONS)) {
      others.documents += documents
      others.bytes += bytes
      others.indexBytes += indexBytes
    }
    return [...sorted.slice(0, MOST_COLLECTIONS), ...(others.documents > 0 ? [others] : [])]
  },
} as const satisfies Partial<KindRule<'hour-storage'>>

/** How each kind of traffic is kept, how long, and added up. */
export const TRAFFIC_KINDS: { readonly [Kind in TrafficKind]: KindRule<Kind> } = {
  minute: { ...TOTALS, ...MINUTES },
  hour: { ...TOTALS, ...HOURS, isDetail: false },
  day: { ...TOTALS, ...DAYS },
  'hour-cells': { ...CELLS, ...HOURS },
  'day-cells': { ...CELLS, ...DAYS, isDetail: true },
  'day-addresses': {
    ...{ packed: 'addresses', ...DAYS, isDetail: true },
    add: (from, into = emptyRegisters()) => {
      mergeRegisters(into, from)
      return into
    },
  },
  'day-visits': {
    ...{ packed: 'visits', ...DAYS, isDetail: true },
    add: ({ paths, referrers }, into = { paths: [], referrers: [] }) => {
      mergeVisits(into, { paths, referrers })
      return into
    },
  },
  'day-errors': {
    ...{ packed: 'errors', ...HOURS },
    add: (from, into = []) => {
      mergeErrors(into, from)
      return into
    },
  },
  'hour-storage': { ...STORAGE, ...HOURS },
  'day-storage': { ...STORAGE, ...DAYS },
  run: { packed: 'moment', ...DAYS, add: (to) => to },
}

/** Undefined where it can't be read. */
export function readTraffic<Kind extends TrafficKind>(
  kind: Kind,
  body: Uint8Array,
): TrafficValues[Kind] | undefined {
  return unpack(TRAFFIC_KINDS[kind].packed, body) as TrafficValues[Kind] | undefined
}

/** @param body what there is, which is as if it weren't there where it can't be read */
export function withAdditions<Kind extends TrafficKind>(
  kind: Kind,
  additions: readonly TrafficValues[Kind][],
  body: Uint8Array | undefined,
): Uint8Array {
  const { packed, add } = TRAFFIC_KINDS[kind]
  let value = body && readTraffic(kind, body)
  for (const each of additions) value = add(each, value)
  return pack(packed, value as never)
}

export const TRAFFIC_KIND_NAMES = Object.keys(TRAFFIC_KINDS) as readonly TrafficKind[]
