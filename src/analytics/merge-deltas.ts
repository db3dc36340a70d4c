import { ERROR_CODES, ERROR_EXAMPLES, VISIT_TEXTS } from './bounds.ts'
import { mergeRegisters } from './distinct-addresses.ts'
import { mergeHistogram } from './histogram.ts'
import { addCounted, addTotals, emptyCell, OTHERS, type TrafficCell } from './traffic.ts'
import type { CountedTexts, ErrorCount, ServerTotals, TrafficDelta, Visits } from './traffic-delta.ts'

/** How much a merged delta may hold; what is beyond is counted, but no longer told apart or, where that can't be, lost. */
export interface DeltaBounds {
  /** Of an app in an hour. */
  readonly cells: number
  /** Of all apps and hours together. */
  readonly allCells: number
  /** Minutes of apps. */
  readonly minutes: number
  /** Of addresses, visits and codes of errors, each: apps and days. */
  readonly days: number
  /** Paths and referrers of all apps and days together. */
  readonly allTexts: number
}

const DELTA_BOUNDS: DeltaBounds = Object.freeze({
  cells: 4000,
  allCells: 20_000,
  minutes: 20_000,
  days: 5000,
  allTexts: 20_000,
})

/** Adds what another delta has. Beyond the bounds, cells and texts go to those of `OTHERS`; minutes and days that don't fit are lost. */
export function mergeDelta(into: TrafficDelta, from: TrafficDelta, bounds = DELTA_BOUNDS): void {
  mergeBy(into.minutes, from.minutes, {
    name: ({ app, at }) => `${app}\n${at}`,
    add: (a, b) => addTotals(a.totals, b.totals),
    most: bounds.minutes,
  })
  mergeHours(into, from, bounds)
  const name = ({ app, day }: { app: string; day: number }): string => `${app}\n${day}`
  const most = bounds.days
  mergeBy(into.addresses, from.addresses, {
    ...{ name, most },
    add: (a, b) => mergeRegisters(a.registers, b.registers),
  })
  mergeVisitDays(into, from, bounds)
  mergeBy(into.errors, from.errors, {
    name: (each) => `${name(each)}\n${each.code}\n${each.status}`,
    add: addErrors,
    most,
  })
  mergeServerTotals(into.server, from.server)
}

/** Adds cells of an app, those beyond `most` to the cells of `OTHERS`. */
export function mergeCells(into: TrafficCell[], from: readonly TrafficCell[], most: number): void {
  const known = new Map(into.map((cell) => [cellName(cell), cell]))
  const cellOf = (name: TrafficCell, isBounded: boolean): TrafficCell => {
    const found = known.get(cellName(name))
    if (found !== undefined) return found
    // Few, for there are few operations and statuses.
    if (isBounded && into.length >= most) return cellOf({ ...name, key: OTHERS, collection: OTHERS }, false)
    const made = emptyCell(name)
    known.set(cellName(made), made)
    into.push(made)
    return made
  }
  for (const cell of from) addCounted(cellOf(cell, true), cell)
}

/** The cells of most requests, and the rest added up in cells of `OTHERS`. */
export function boundCells(cells: readonly TrafficCell[], most: number): TrafficCell[] {
  if (cells.length <= most) return [...cells]
  const kept: TrafficCell[] = []
  mergeCells(
    kept,
    [...cells].sort((a, b) => b.requests - a.requests),
    most,
  )
  return kept
}

export function mergeVisits(into: Visits, from: Visits): void {
  into.paths = mergedTexts(into.paths, from.paths)
  into.referrers = mergedTexts(into.referrers, from.referrers)
}

/** Adds errors of an app on a day: the newest examples stay, and codes beyond the bound are counted as `OTHERS`. */
export function mergeErrors(into: ErrorCount[], from: readonly ErrorCount[]): void {
  const known = new Map(into.map((each) => [errorName(each), each]))
  for (const each of from) {
    const isOther = !known.has(errorName(each)) && into.length >= ERROR_CODES
    const wanted = isOther ? { ...each, code: OTHERS, status: 0, examples: [] } : each
    const found = known.get(errorName(wanted))
    if (found !== undefined) {
      addErrors(found, wanted)
      continue
    }
    const made = { ...wanted, examples: [...wanted.examples] }
    known.set(errorName(made), made)
    into.push(made)
  }
}

export function mergeServerTotals(into: ServerTotals, from: ServerTotals): void {
  into.read += from.read
  into.written += from.written
  mergeBy(into.requests, from.requests, {
    name: ({ area, method, status }) => `${area} ${method} ${status}`,
    add: (a, b) => {
      a.count += b.count
    },
  })
  mergeBy(into.areas, from.areas, {
    name: ({ area }) => area,
    add: (a, b) => {
      mergeHistogram(a.latency, b.latency)
      a.ms += b.ms
      a.bytesIn += b.bytesIn
      a.bytesOut += b.bytesOut
    },
  })
  mergeBy(into.apps, from.apps, {
    name: ({ app }) => app,
    add: (a, b) => {
      a.requests += b.requests
      a.errors += b.errors
      a.failed += b.failed
    },
  })
}

function mergeHours(into: TrafficDelta, from: TrafficDelta, bounds: DeltaBounds): void {
  const known = new Map(into.hours.map((hour) => [`${hour.app}\n${hour.at}`, hour]))
  let all = into.hours.reduce((sum, { cells }) => sum + cells.length, 0)
  for (const { app, at, cells } of from.hours) {
    const name = `${app}\n${at}`
    const hour = known.get(name) ?? { app, at, cells: [] }
    if (!known.has(name)) {
      known.set(name, hour)
      into.hours.push(hour)
    }
    const before = hour.cells.length
    mergeCells(hour.cells, cells, Math.min(bounds.cells, Math.max(0, before + bounds.allCells - all)))
    all += hour.cells.length - before
  }
}

function mergeVisitDays(into: TrafficDelta, from: TrafficDelta, bounds: DeltaBounds): void {
  const known = new Map(into.visits.map((visits) => [`${visits.app}\n${visits.day}`, visits]))
  let all = into.visits.reduce((sum, { paths, referrers }) => sum + paths.length + referrers.length, 0)
  for (const { app, day, ...visits } of from.visits) {
    const name = `${app}\n${day}`
    const found = known.get(name) ?? { app, day, paths: [], referrers: [] }
    if (!known.has(name)) {
      if (into.visits.length >= bounds.days) continue
      known.set(name, found)
      into.visits.push(found)
    }
    for (const list of ['paths', 'referrers'] as const) {
      const before = found[list]
      const told = before.filter(([text]) => text !== OTHERS).length
      const most = Math.min(VISIT_TEXTS, told + Math.max(0, bounds.allTexts - all))
      found[list] = mergedTexts(before, visits[list], most)
      all += found[list].length - before.length
    }
  }
}

/** The texts counted most, and the rest as `OTHERS`, which takes no place of theirs. */
function mergedTexts(a: CountedTexts, b: CountedTexts, most = VISIT_TEXTS): CountedTexts {
  const counts = new Map(a)
  for (const [text, count] of b) counts.set(text, (counts.get(text) ?? 0) + count)
  const others = counts.get(OTHERS) ?? 0
  counts.delete(OTHERS)
  const sorted = [...counts].sort(([, x], [, y]) => y - x)
  const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, others)
  const kept = sorted.slice(0, most)
  return rest === 0 ? kept : [...kept, [OTHERS, rest]]
}

function addErrors(into: ErrorCount, from: ErrorCount): void {
  into.count += from.count
  into.examples = [...into.examples, ...from.examples].sort((a, b) => a.at - b.at).slice(-ERROR_EXAMPLES)
}

function cellName({ key, collection, operation, status }: TrafficCell): string {
  return `${key}\n${collection}\n${operation}\n${status}`
}

function errorName({ code, status }: ErrorCount): string {
  return `${code}\n${status}`
}

interface MergeWay<T> {
  readonly name: (item: T) => string
  readonly add: (into: T, from: T) => void
  readonly most?: number
}

function mergeBy<T extends object>(into: T[], from: readonly T[], way: MergeWay<T>): void {
  const { name, add, most = Number.POSITIVE_INFINITY } = way
  const known = new Map(into.map((item) => [name(item), item]))
  for (const item of from) {
    const found = known.get(name(item))
    if (found !== undefined) add(found, item)
    else if (into.length < most) {
      // A copy, for more will be added to it.
      const copy = structuredClone(item)
      known.set(name(item), copy)
      into.push(copy)
    }
  }
}
