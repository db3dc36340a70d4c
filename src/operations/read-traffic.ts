import type { CellFilter } from '../analytics/cell-sums.ts'
import { distinctAddresses } from '../analytics/distinct-addresses.ts'
import { mergeCells, mergeErrors, mergeVisits } from '../analytics/merge-deltas.ts'
import type { CollectionBytes } from '../analytics/pack.ts'
import {
  addCellToTotals,
  addTotals,
  emptyTotals,
  type TrafficCell,
  type TrafficTotals,
} from '../analytics/traffic.ts'
import type { ErrorCount, Visits } from '../analytics/traffic-delta.ts'
import { OF_SERVER, RUN_PAUSE_SECONDS, type TrafficStore } from '../storage/traffic-store.ts'
import { type Span, STEP_SECONDS, stepsOf, type TrafficRange, type TrafficStep } from './traffic-range.ts'

/** Of all steps together. */
const MOST_CELLS = 8000

/** By the beginnings of steps, in seconds since the Unix epoch. */
export type TotalsByStep = ReadonlyMap<number, TrafficTotals>

export interface ReadTraffic {
  readonly steps: TotalsByStep
  /** Undefined where nothing is known of that time. */
  readonly before: TrafficTotals | undefined
  readonly cells: readonly TrafficCell[]
}

type Store = Pick<TrafficStore, 'findTraffic' | 'findNewestTraffic' | 'sumCells'>

/** @param app by its id */
export async function readTraffic(
  store: Store,
  app: string,
  { range, filter }: { readonly range: TrafficRange; readonly filter: CellFilter },
): Promise<ReadTraffic> {
  const { step, cells: span } = range
  const kind = `${span.step}-cells` as const
  if (step === 'minute' || !isFiltered(filter)) {
    const steps = await readTotals(store, app, range, step)
    const before = await readTotals(store, app, range.before, step)
    const cells = await store.sumCells({ app, kind, from: span.from, to: span.to })
    return { steps, before: sumOf(before.values()), cells }
  }
  const cells: TrafficCell[] = []
  const steps = new Map<number, TrafficTotals>()
  // The steps are those of cells.
  for (const at of stepsOf(range, step)) {
    const found = await store.sumCells({ app, kind, from: at, to: at + STEP_SECONDS[step], ...filter })
    mergeCells(cells, found, MOST_CELLS)
    if (found.length > 0) steps.set(at, totalsOf(found))
  }
  const earlier = await store.sumCells({ app, kind, ...range.before, ...filter })
  return { steps, before: earlier.length === 0 ? undefined : totalsOf(earlier), cells }
}

export function isFiltered({ key, collection }: CellFilter): boolean {
  return key !== undefined || collection !== undefined
}

/**
 * The beginnings of the steps in which the server is known to have run; in the one that is under way it answers.
 * @param now seconds since the Unix epoch
 */
export async function readRuns(
  store: Store,
  { from, to, step }: TrafficRange,
  now: number,
): Promise<ReadonlySet<number>> {
  const of = { app: OF_SERVER, kind: 'run' } as const
  const former = await store.findNewestTraffic({ ...of, from: 0, to: from })
  const since = await Array.fromAsync(store.findTraffic({ ...of, from, to }))
  const seconds = STEP_SECONDS[step]
  const steps = new Set<number>()
  for (const { at, value } of [former ?? [], since, { at: now, value: now }].flat()) {
    const first = Math.max(0, Math.floor((at - from) / seconds))
    const end = Math.min(to, value + RUN_PAUSE_SECONDS)
    for (let each = from + first * seconds; each < end; each += seconds) steps.add(each)
  }
  return steps
}

/** Of every step of which it is known, in order; and by collection, as it was measured last. */
export async function readStorage(
  store: Store,
  app: string,
  range: TrafficRange,
): Promise<{
  readonly steps: readonly { readonly at: number; readonly collections: readonly CollectionBytes[] }[]
  readonly last: readonly CollectionBytes[]
}> {
  const kind = range.step === 'day' ? 'day-storage' : 'hour-storage'
  // What is not written to is not measured anew.
  const until = { app, from: 0, to: range.from + 1 }
  const former =
    (await store.findNewestTraffic({ ...until, kind })) ??
    (await store.findNewestTraffic({ ...until, kind: 'day-storage' }))
  const rows = await Array.fromAsync(store.findTraffic({ app, kind, from: range.from + 1, to: range.to }))
  let known = former?.value
  const steps = stepsOf(range, range.step).flatMap((at) => {
    while (rows[0] !== undefined && rows[0].at <= at) known = rows.shift()!.value
    return known === undefined ? [] : [{ at, collections: known }]
  })
  return { steps, last: known ?? [] }
}

/** The days that a span has a part of, with how many addresses each of them had. */
export async function readAddresses(
  store: Store,
  app: string,
  span: Span,
): Promise<{ readonly at: number; readonly count: number }[]> {
  const found = store.findTraffic({ app, kind: 'day-addresses', ...wholeDays(span) })
  return Array.fromAsync(found, ({ at, value }) => ({ at, count: distinctAddresses(value) }))
}

/** Of all days that a span has a part of. */
export async function readErrors(store: Store, app: string, span: Span): Promise<ErrorCount[]> {
  const errors: ErrorCount[] = []
  for await (const { value } of store.findTraffic({ app, kind: 'day-errors', ...wholeDays(span) }))
    mergeErrors(errors, value)
  return errors
}

/** Of all days that a span has a part of; undefined where there are none. */
export async function readVisits(store: Store, app: string, span: Span): Promise<Visits | undefined> {
  let visits: Visits | undefined
  for await (const { value } of store.findTraffic({ app, kind: 'day-visits', ...wholeDays(span) })) {
    visits ??= { paths: [], referrers: [] }
    mergeVisits(visits, value)
  }
  return visits
}

/** Of all of them together; undefined where there are none. */
export function sumOf(all: Iterable<TrafficTotals>): TrafficTotals | undefined {
  let sum: TrafficTotals | undefined
  for (const each of all) {
    sum ??= emptyTotals()
    addTotals(sum, each)
  }
  return sum
}

async function readTotals(
  store: Store,
  app: string,
  { from, to }: Span,
  kind: TrafficStep,
): Promise<Map<number, TrafficTotals>> {
  const totals = new Map<number, TrafficTotals>()
  for await (const { at, value } of store.findTraffic({ app, kind, from, to })) totals.set(at, value)
  return totals
}

function totalsOf(cells: readonly TrafficCell[]): TrafficTotals {
  const totals = emptyTotals()
  for (const cell of cells) addCellToTotals(totals, cell)
  return totals
}

function wholeDays({ from, to }: Span): Span {
  return { from: from - (from % STEP_SECONDS.day), to }
}
