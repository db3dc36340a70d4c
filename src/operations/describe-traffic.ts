import type { CellFilter } from '../analytics/cell-sums.ts'
import type { CollectionBytes } from '../analytics/pack.ts'
import { emptyTotals, OTHERS, type TrafficTotals } from '../analytics/traffic.ts'
import type { CountedTexts, ErrorCount, Visits } from '../analytics/traffic-delta.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { AccountApp } from '../storage/account-records.ts'
import { authoriseCaller } from './authorise-caller.ts'
import {
  breakDownTraffic,
  type DescribedTotals,
  describeTotals,
  type MaybeOthers,
  mostOf,
  type TrafficLists,
  toldKey,
} from './break-down-traffic.ts'
import type { AccountsContext, Caller } from './context.ts'
import { costliestOf, describeQueryCost, type QueryCost } from './describe-query-cost.ts'
import { findShownKeys, namesOf, shownKeyName } from './find-shown-keys.ts'
import type { AppInput } from './open-app.ts'
import {
  isFiltered,
  readAddresses,
  readErrors,
  readRuns,
  readStorage,
  readTraffic,
  readVisits,
  sumOf,
} from './read-traffic.ts'
import { type RangeName, type Span, STEP_SECONDS, stepsOf, trafficRange } from './traffic-range.ts'

const MOST_ENTRIES = 100
const MOST_QUERIES = 5

export interface TrafficInput extends AppInput {
  /** `hour`, `day`, `week` or `month`. */
  readonly range?: string | undefined
  /** By its id: what it was used for alone; the empty text for what was asked without one. */
  readonly key?: string | undefined
  /** By its name: what was done to it alone; the empty text for what was done to none. */
  readonly collection?: string | undefined
}

export interface TrafficBreakdown extends TrafficLists {
  readonly from: string
  readonly to: string
}

export interface DescribedError {
  readonly code: string
  readonly status: number
  readonly count: number
  /** The newest first. */
  readonly examples: readonly {
    readonly at: string
    readonly method: string
    readonly path: string
    /** The name; empty without one, null for one that is not shown to whoever asks. */
    readonly key: string | null
    readonly requestId: string
  }[]
}

/** On the UTC day that begins then. */
export interface DayCount {
  readonly at: string
  readonly count: number
}

export interface DescribedVisits {
  readonly total: number
  readonly paths: readonly (MaybeOthers & { readonly path?: string; readonly visits: number })[]
  readonly referrers: readonly (MaybeOthers & { readonly host?: string; readonly visits: number })[]
}

export interface StorageBytes {
  readonly documents: number
  readonly bytes: number
  readonly indexBytes: number
}

/** Of a step; all null where nothing was counted and the server is not known to have run. */
export type DescribedPoint = { readonly at: string } & (
  | DescribedTotals
  | { readonly [Name in keyof DescribedTotals]: null }
)

export interface DescribedTraffic {
  readonly range: RangeName
  readonly from: string
  readonly to: string
  readonly stepSeconds: number
  /** Every step, in order. */
  readonly points: readonly DescribedPoint[]
  /** With the addresses of the newest day. */
  readonly totals: DescribedTotals & { readonly addresses: DayCount | null }
  /** Null where nothing is known of it. */
  readonly before: DescribedTotals | null
  readonly breakdown: TrafficBreakdown
  readonly errors: readonly DescribedError[]
  readonly addresses: readonly DayCount[]
  /** Null where no site was visited. */
  readonly visits: DescribedVisits | null
  /** Every step from the first of which it is known. */
  readonly storage: readonly (StorageBytes & { readonly at: string })[]
  readonly storageByCollection: readonly (MaybeOthers & StorageBytes & { readonly name?: string })[]
  /** What reads cost that took most time since they are counted. */
  readonly slowest: readonly QueryCost[]
}

export type TrafficContext = Pick<AccountsContext, 'accounts' | 'queryStats' | 'now'>

/**
 * What an app's traffic was in the last hour, day, week or month.
 * @throws AppError `invalid_parameter`, and as `authoriseCaller` does
 */
export async function describeTraffic(
  context: TrafficContext,
  caller: Caller,
  { app: slug, range, ...filter }: TrafficInput,
): Promise<DescribedTraffic> {
  const found = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  return describeTrafficOf(context, found, { range, filter, most: MOST_ENTRIES })
}

/** The same for whoever was let at the app. @param most entries of each list. @throws AppError `invalid_parameter` */
export async function describeTrafficOf(
  { accounts, queryStats, now }: TrafficContext,
  found: AccountApp,
  wanted: {
    readonly range: string | undefined
    readonly filter: CellFilter
    readonly most: number
  },
): Promise<DescribedTraffic> {
  const { most } = wanted
  const { id } = found.app
  const keys = await findShownKeys(accounts, found)
  const { key } = wanted.filter
  const filter = { ...wanted.filter, ...(key !== undefined && { key: toldKey(key, keys) }) }
  const range = trafficRange(wanted.range, now(), isFiltered(filter))
  const { steps, before, cells } = await readTraffic(accounts, id, { range, filter })
  const addresses = (await readAddresses(accounts, id, range)).map(withTime)
  const storage = await readStorage(accounts, id, range)
  const visits = await readVisits(accounts, id, range)
  const runs = await readRuns(accounts, range, Math.floor(now() / 1000))
  const totals = sumOf(steps.values()) ?? emptyTotals()
  return {
    range: range.name,
    ...timesOf(range),
    stepSeconds: STEP_SECONDS[range.step],
    points: stepsOf(range, range.step).map((at) => ({
      at: isoTime(at * 1000),
      ...describeStep(steps.get(at), runs.has(at)),
    })),
    totals: { ...describeTotals(totals), addresses: addresses.at(-1) ?? null },
    before: before === undefined ? null : describeTotals(before),
    breakdown: { ...timesOf(range.cells), ...breakDownTraffic(cells, { keys, most }) },
    errors: describeErrors(await readErrors(accounts, id, range), namesOf(keys)),
    addresses,
    visits: visits === undefined ? null : describeVisits(visits, most),
    storage: storage.steps.map(({ at, collections }) => withTime({ at, ...sumOfBytes(collections) })),
    storageByCollection: describeStorage(storage.last, most),
    slowest: costliestOf(queryStats.load().fingerprints, id).slice(0, MOST_QUERIES).map(describeQueryCost),
  }
}

const UNKNOWN = Object.freeze({
  ...{ requests: null, errors: null, failed: null, p50: null, p95: null, p99: null },
  ...{ bytesIn: null, bytesOut: null, read: null, written: null },
})

function describeStep(totals: TrafficTotals | undefined, hasRun: boolean): DescribedTotals | typeof UNKNOWN {
  if (totals === undefined && !hasRun) return UNKNOWN
  return describeTotals(totals ?? emptyTotals())
}

function describeErrors(
  errors: readonly ErrorCount[],
  shownKeys: readonly string[] | undefined,
): DescribedError[] {
  return errors
    .toSorted((a, b) => b.count - a.count)
    .map(({ code, examples, ...error }) => ({
      code: code === OTHERS ? 'others' : code,
      ...error,
      examples: examples.toReversed().map(({ at, key, ...example }) => ({
        ...{ at: isoTime(at), ...example },
        key: shownKeyName(key, shownKeys),
      })),
    }))
}

function describeVisits({ paths, referrers }: Visits, most: number): DescribedVisits {
  return {
    total: paths.reduce((sum, [, visits]) => sum + visits, 0),
    paths: describeTexts(paths, most, (path) => ({ path })),
    referrers: describeTexts(referrers, most, (host) => ({ host })),
  }
}

function describeTexts<Named>(
  texts: CountedTexts,
  most: number,
  named: (text: string) => Named,
): ((Named & { visits: number }) | { others: true; visits: number })[] {
  const { kept, others } = mostOf(texts, {
    most,
    sizeOf: ([, count]) => count,
    isOthers: ([text]) => text === OTHERS,
  })
  const rest = others.reduce((sum, [, visits]) => sum + visits, 0)
  return [
    ...kept.map(([text, visits]) => ({ ...named(text), visits })),
    ...(rest > 0 ? [{ others: true as const, visits: rest }] : []),
  ]
}

function describeStorage(
  collections: readonly CollectionBytes[],
  most: number,
): DescribedTraffic['storageByCollection'] {
  const { kept, others } = mostOf(collections, {
    most,
    sizeOf: ({ bytes, indexBytes }) => bytes + indexBytes,
    isOthers: ({ name }) => name === OTHERS,
  })
  return [...kept, ...(others.length > 0 ? [{ others: true as const, ...sumOfBytes(others) }] : [])]
}

function sumOfBytes(collections: readonly CollectionBytes[]): StorageBytes {
  const sum = { documents: 0, bytes: 0, indexBytes: 0 }
  for (const { documents, bytes, indexBytes } of collections) {
    sum.documents += documents
    sum.bytes += bytes
    sum.indexBytes += indexBytes
  }
  return sum
}

function timesOf({ from, to }: Span): { readonly from: string; readonly to: string } {
  return { from: isoTime(from * 1000), to: isoTime(to * 1000) }
}

/** @param item with seconds since the Unix epoch */
function withTime<T extends { readonly at: number }>(item: T): Omit<T, 'at'> & { readonly at: string } {
  return { ...item, at: isoTime(item.at * 1000) }
}
