import { useQuery } from '@tanstack/react-query'
import { appPath, ofAppRead, type Read } from '../apps-data.ts'
import type { AppQuery } from '../indexes-data.ts'
import { useAttended } from '../use-attended.ts'

/** How far back the figures go, the shortest first. */
export const RANGES = ['hour', 'day', 'week', 'month'] as const

export type Range = (typeof RANGES)[number]

/** Where a page that names none begins. */
export const FIRST_RANGE: Range = 'day'

/** How often the figures are read anew while somebody looks at them. */
const REFRESH_MS: Readonly<Record<Range, number>> = {
  hour: 15_000,
  day: 60_000,
  week: 60_000,
  month: 60_000,
}

/** What was counted of requests. Sizes are in bytes, durations in milliseconds. */
export interface Counted {
  readonly requests: number
  /** Answers from 400 on, of which those from 500 on `failed`. */
  readonly errors: number
  readonly failed: number
  /** Null where there was no request. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly bytesIn: number
  readonly bytesOut: number
  /** Documents. */
  readonly read: number
  readonly written: number
}

/** Of one step; all null where the server is not known to have run. */
export type Point = { readonly [Name in keyof Counted]: Counted[Name] | null } & {
  /** Its start. */
  readonly at: string
}

/** A row of a table; the last may stand for all that had no place in it. */
export type Row<Named> = (Named & { readonly others?: never }) | (Partial<Named> & { readonly others: true })

export interface Named {
  readonly name: string
}

/**
 * A key; its id is empty where a request had none, its name null where the key is there no more. All keys together that are not
 * shown to whoever asks have neither.
 */
export interface KeyName {
  readonly id?: string
  readonly name?: string | null
  readonly withheld?: true
}

export interface Figures {
  readonly requests: number
  readonly errors: number
  readonly p95: number | null
  readonly bytesIn: number
  readonly bytesOut: number
}

export interface Pair extends Omit<Counted, 'failed' | 'p99' | 'bytesIn' | 'bytesOut'> {
  readonly key: KeyName
  readonly collection: string
  readonly operation: string
}

export interface Breakdown {
  readonly from: string
  readonly to: string
  readonly keys: readonly Row<KeyName & Figures>[]
  readonly collections: readonly Row<Named & Figures>[]
  readonly operations: readonly Row<{ readonly operation: string } & Figures>[]
  readonly statuses: readonly Row<{ readonly status: number; readonly requests: number }>[]
  readonly pairs: readonly Row<Pair>[]
}

export interface ErrorExample {
  readonly at: string
  readonly method: string
  readonly path: string
  /** The name of the key; empty where there was none, null where it is withheld. */
  readonly key: string | null
  readonly requestId: string
}

export interface CountedError {
  readonly code: string
  readonly status: number
  readonly count: number
  readonly examples: readonly ErrorExample[]
}

export interface Stored {
  readonly documents: number
  readonly bytes: number
  readonly indexBytes: number
}

export interface Visits {
  readonly total: number
  readonly paths: readonly Row<{ readonly path: string; readonly visits: number }>[]
  readonly referrers: readonly Row<{ readonly host: string; readonly visits: number }>[]
}

/** Of a UTC day, approximately. */
export interface Addresses {
  readonly at: string
  readonly count: number
}

export interface Analytics {
  readonly range: Range
  readonly from: string
  readonly to: string
  readonly stepSeconds: number
  readonly points: readonly Point[]
  readonly totals: Counted & { readonly addresses: Addresses | null }
  /** Of as much time before it; null where nothing is known of that. */
  readonly before: Counted | null
  readonly breakdown: Breakdown
  readonly errors: readonly CountedError[]
  readonly addresses: readonly Addresses[]
  /** Null where no site was visited. */
  readonly visits: Visits | null
  /** By the step, from the first of which it is known. */
  readonly storage: readonly (Stored & { readonly at: string })[]
  readonly storageByCollection: readonly Row<Named & Stored>[]
  /** What reads cost that took the most time since they are counted. */
  readonly slowest: readonly Pick<AppQuery, 'collection' | 'query' | 'reads' | 'totalMs' | 'meanMs'>[]
}

/** What is looked at. */
export interface Chosen {
  readonly slug: string
  readonly range: Range
  /** The id of the key that alone is looked at; empty for all. */
  readonly key: string
  /** Empty for all. */
  readonly collection: string
}

export function analyticsRead(chosen: Chosen): Read<Analytics> {
  return ofAppRead(chosen.slug, `/analytics?${searchOf(chosen)}`)
}

export function useAnalytics(chosen: Chosen) {
  const isAttended = useAttended()
  return useQuery({
    ...analyticsRead(chosen),
    // Until that of another time is there, what was shown stays.
    placeholderData: (shown, query) => (query?.queryKey[1] === chosen.slug ? shown : undefined),
    refetchInterval: isAttended && REFRESH_MS[chosen.range],
  })
}

function searchOf({ range, key, collection }: Chosen): URLSearchParams {
  return new URLSearchParams({
    range,
    ...(key !== '' && { key }),
    ...(collection !== '' && { collection }),
  })
}

/** What can be taken out as CSV. */
export type CsvTable =
  | 'points'
  | 'keys'
  | 'collections'
  | 'operations'
  | 'statuses'
  | 'pairs'
  | 'errors'
  | 'paths'
  | 'referrers'
  | 'storage'

/** Where a table is as a file. */
export function csvAddress(chosen: Chosen, table: CsvTable): string {
  return `/_/api${appPath(chosen.slug)}/analytics.csv?${searchOf(chosen)}&table=${table}`
}

/** What an address names, or where a page begins. */
export function rangeOf(text: string): Range {
  return RANGES.find((range) => range === text) ?? FIRST_RANGE
}
