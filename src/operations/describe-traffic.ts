import { isoTime } from '../domain/iso-time.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { AppInput } from './open-app.ts'
import { type RangeName, type Span, STEP_SECONDS, stepsOf, trafficRange } from './traffic-range.ts'

export interface TrafficInput extends AppInput {
  /** `hour`, `day`, `week` or `month`. */
  readonly range?: string | undefined
  /** By its id: what it was used for alone. */
  readonly key?: string | undefined
  /** By its name: what was done to it alone. */
  readonly collection?: string | undefined
}

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

/** Requests that have something in common, without durations but for one. */
export interface DescribedShare
  extends Pick<DescribedTotals, 'requests' | 'errors' | 'p95' | 'bytesIn' | 'bytesOut'> {
  /** What is not told apart: beyond the hundred with most requests, or beyond what is kept. */
  readonly others?: true
}

/** By whom, of what, and how it was done; null stands for what is not told apart. */
export interface DescribedPair
  extends Pick<DescribedTotals, 'requests' | 'errors' | 'p50' | 'p95' | 'read' | 'written'> {
  readonly key: NamedKey | null
  readonly collection: string | null
  readonly operation: string | null
  readonly others?: true
}

/** The empty id for requests without a key; the name is null for those, and for a key that is there no more. */
export interface NamedKey {
  readonly id: string
  readonly name: string | null
}

/** Each list with most requests first, at most a hundred of them and the others. */
export interface TrafficBreakdown {
  readonly from: string
  readonly to: string
  readonly keys: readonly (DescribedShare & Partial<NamedKey>)[]
  readonly collections: readonly (DescribedShare & { readonly name?: string })[]
  readonly operations: readonly (DescribedShare & { readonly operation?: string })[]
  readonly statuses: readonly { readonly status: number; readonly requests: number }[]
  readonly pairs: readonly DescribedPair[]
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
    readonly key: string
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
  readonly paths: readonly { readonly path?: string; readonly visits: number; readonly others?: true }[]
  readonly referrers: readonly { readonly host?: string; readonly visits: number; readonly others?: true }[]
}

export interface StorageBytes {
  readonly documents: number
  readonly bytes: number
  readonly indexBytes: number
}

export interface DescribedTraffic {
  readonly range: RangeName
  readonly from: string
  readonly to: string
  readonly stepSeconds: number
  /** Every step, in order. */
  readonly points: readonly (DescribedTotals & { readonly at: string })[]
  /** With the addresses of the newest day. */
  readonly totals: DescribedTotals & { readonly addresses: DayCount | null }
  readonly before: DescribedTotals | null
  readonly breakdown: TrafficBreakdown
  readonly errors: readonly DescribedError[]
  readonly addresses: readonly DayCount[]
  /** Null where no site was visited. */
  readonly visits: DescribedVisits | null
  /** Every step from the first of which it is known. */
  readonly storage: readonly (StorageBytes & { readonly at: string })[]
  readonly storageByCollection: readonly (StorageBytes & { readonly name: string })[]
}

const NOTHING: DescribedTotals = {
  ...{ requests: 0, errors: 0, failed: 0, p50: null, p95: null, p99: null },
  ...{ bytesIn: 0, bytesOut: 0, read: 0, written: 0 },
}

/**
 * What an app's traffic was in the last hour, day, week or month.
 * @throws AppError `invalid_parameter`, and as `authoriseCaller` does
 */
export async function describeTraffic(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: Caller,
  { app: slug, range: name, key, collection }: TrafficInput,
): Promise<DescribedTraffic> {
  await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  const range = trafficRange(name, context.now(), key !== undefined || collection !== undefined)
  return {
    range: range.name,
    ...timesOf(range),
    stepSeconds: STEP_SECONDS[range.step],
    points: stepsOf(range, range.step).map((at) => ({ at: isoTime(at * 1000), ...NOTHING })),
    totals: { ...NOTHING, addresses: null },
    before: null,
    breakdown: {
      ...timesOf(range.cells),
      ...{ keys: [], collections: [], operations: [], statuses: [], pairs: [] },
    },
    ...{ errors: [], addresses: [], visits: null, storage: [], storageByCollection: [] },
  }
}

function timesOf({ from, to }: Span): { readonly from: string; readonly to: string } {
  return { from: isoTime(from * 1000), to: isoTime(to * 1000) }
}
