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
import type { TrafficStore } from '../storage/traffic-store.ts'
import { type Span, STEP_SECONDS, stepsOf, type TrafficRange, type TrafficStep } from './traffic-range.ts'

/** Of the pairs, operations and statuses of all rows of a view together: those beyond are added up. */
const MOST_CELLS = 20_000

/** What of an app's traffic is looked at: of one key or collection alone where that is said. */
export interface TrafficFilter {
  readonly key?: string | undefined
  readonly collection?: string | undefined
}

/** By the beginnings of steps, in seconds since the Unix epoch. */
export type TotalsByStep = ReadonlyMap<number, TrafficTotals>

export interface ReadTraffic {
  readonly steps: TotalsByStep
  /** Undefined where nothing is known of that time. */
  readonly before: TrafficTotals | undefined
  readonly cells: readonly TrafficCell[]
}

type Store = Pick<TrafficStore, 'findTraffic' | 'findNewestTraffic'>

/** @param app by its id */
export async function readTraffic(
  store: Store,
  app: string,
  { range, filter }: { readonly range: TrafficRange; readonly filter: TrafficFilter },
): Promise<ReadTraffic> {
  const { step, cells: span } = range
  const hasTotals = step === 'minute' || !isFiltered(filter)
  const cells: TrafficCell[] = []
  const ofCells = new Map<number, TrafficTotals>()
  for await (const { at, value } of findCells(store, app, { span, step: span.step, filter })) {
    mergeCells(cells, value, MOST_CELLS)
    if (!hasTotals) ofCells.set(at, totalsOf(value))
  }
  if (hasTotals) {
    const steps = await readTotals(store, app, range, step)
    const before = await readTotals(store, app, range.before, step)
    return { steps, before: sumOf(before.values()), cells }
  }
  const earlier: TrafficTotals[] = []
  for await (const { value } of findCells(store, app, { span: range.before, step, filter }))
    earlier.push(totalsOf(value))
  return { steps: ofCells, before: sumOf(earlier), cells }
}

export function isFiltered({ key, collection }: TrafficFilter): boolean {
  return key !== undefined || collection !== undefined
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

async function* findCells(
  store: Store,
  app: string,
  {
    span: { from, to },
    step,
    filter: { key, collection },
  }: { readonly span: Span; readonly step: 'hour' | 'day'; readonly filter: TrafficFilter },
): AsyncGenerator<{ readonly at: number; readonly value: readonly TrafficCell[] }> {
  for await (const { at, value } of store.findTraffic({ app, kind: `${step}-cells`, from, to }))
    yield {
      at,
      value: value.filter(
        (cell) =>
          (key === undefined || cell.key === key) &&
          (collection === undefined || cell.collection === collection),
      ),
    }
}

function totalsOf(cells: readonly TrafficCell[]): TrafficTotals {
  const totals = emptyTotals()
  for (const cell of cells) addCellToTotals(totals, cell)
  return totals
}

function wholeDays({ from, to }: Span): Span {
  return { from: from - (from % STEP_SECONDS.day), to }
}
