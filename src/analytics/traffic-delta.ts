import type { Histogram } from './histogram.ts'
import type { TrafficCell, TrafficTotals } from './traffic.ts'

/** Where a request goes: to the API of documents, a site, the dashboard and its interface, the probes, the metrics. */
export const AREAS = ['api', 'site', 'dashboard', 'probe', 'metrics'] as const

export type Area = (typeof AREAS)[number]

/** `other` has what is none of them, which a client chooses freely. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'] as const

export type MethodClass = (typeof METHODS)[number]

/** Of the whole server, refused and dashboard's requests among them. */
export interface ServerTotals {
  requests: { area: Area; method: MethodClass; status: number; count: number }[]
  areas: AreaTotals[]
  /** Documents. */
  read: number
  written: number
  /** By the ids of apps; the empty text has the API's requests that are for no app that there is. */
  apps: { app: string; requests: number; errors: number; failed: number }[]
}

export interface AreaTotals {
  area: Area
  latency: Histogram
  /** Of all requests. */
  ms: number
  bytesIn: number
  bytesOut: number
}

/** An error that clients got, redacted: nothing of a query, a body or a credential. */
export interface ErrorExample {
  /** Milliseconds since the Unix epoch. */
  at: number
  method: string
  path: string
  /** The name of the key, the empty text without one. */
  key: string
  requestId: string
}

export interface ErrorCount {
  code: string
  status: number
  count: number
  /** The newest last. */
  examples: ErrorExample[]
}

/** The texts and how often each was counted. */
export type CountedTexts = [text: string, count: number][]

/** Of a site on one day; a referrer is a host, the empty text where there is none or its own. */
export interface Visits {
  paths: CountedTexts
  referrers: CountedTexts
}

/**
 * What was counted since the last time, by the ids of apps; the empty text has the API's requests that are for no app that
 * there is. All times are seconds since the Unix epoch, at the start of a minute, an hour or a day of UTC.
 */
export interface TrafficDelta {
  minutes: { app: string; at: number; totals: TrafficTotals }[]
  hours: { app: string; at: number; cells: TrafficCell[] }[]
  /** Registers of a HyperLogLog, see `distinct-addresses.ts`. */
  addresses: { app: string; day: number; registers: Uint8Array }[]
  visits: ({ app: string; day: number } & Visits)[]
  errors: ({ app: string; day: number } & ErrorCount)[]
  server: ServerTotals
}

export function emptyServerTotals(): ServerTotals {
  return { requests: [], areas: [], read: 0, written: 0, apps: [] }
}

export function emptyDelta(): TrafficDelta {
  return { minutes: [], hours: [], addresses: [], visits: [], errors: [], server: emptyServerTotals() }
}
