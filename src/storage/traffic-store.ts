import type { CellFilter } from '../analytics/cell-sums.ts'
import type { CollectionBytes } from '../analytics/pack.ts'
import type { TrafficCell, TrafficTotals } from '../analytics/traffic.ts'
import type { ErrorCount, TrafficDelta, Visits } from '../analytics/traffic-delta.ts'

/** The setting that has what was noted with what was added last. */
export const TRAFFIC_ADDED = 'traffic_added'

/** What is kept of an app's traffic, by its kind: of a minute, an hour or a day of UTC. */
export interface TrafficValues {
  minute: TrafficTotals
  hour: TrafficTotals
  day: TrafficTotals
  'hour-cells': TrafficCell[]
  'day-cells': TrafficCell[]
  /** Registers of a HyperLogLog. */
  'day-addresses': Uint8Array
  'day-visits': Visits
  'day-errors': ErrorCount[]
  /** As it was measured last in that time. */
  'hour-storage': CollectionBytes[]
  'day-storage': CollectionBytes[]
  /** Up to when the server ran, as far as it noted, that did so from the row's time on; of `OF_SERVER`. */
  run: number
}

/** Stands for an app in what is of the server itself. */
export const OF_SERVER = ''
/** The server notes each minute that it runs: where it noted nothing for so long, it did not. */
export const RUN_PAUSE_SECONDS = 2 * 60

/** Of the server, from one moment to another, in seconds since the Unix epoch. */
export interface ServerRun {
  readonly from: number
  readonly to: number
}

export type TrafficKind = keyof TrafficValues

/** Times are seconds since the Unix epoch. */
export interface TrafficWanted<Kind extends TrafficKind> {
  /** By its id. */
  readonly app: string
  readonly kind: Kind
  /** The first moment, and the one behind the last. */
  readonly from: number
  readonly to: number
}

/** Of the time that begins at `at`. */
export interface TrafficRow<Kind extends TrafficKind> {
  readonly at: number
  readonly value: TrafficValues[Kind]
}

/** What was counted of apps. It has no line in the audit trail, and is no part of the directory. */
export interface TrafficStore {
  /**
   * Adds what was counted to what is kept of its minutes, hours and days: all of it or nothing. Passed over is what is of no
   * app that there is, or of a time that is kept no more, or that is more than two days ahead. Nobody
   * else can write while rows are written, so that what is of many apps is best handed over one app after the other.
   * @param note what the setting `TRAFFIC_ADDED` says from then on, by which one sees that it was added
   */
  addTraffic(delta: TrafficDelta, note?: string): Promise<void>
  /** How much apps, by their ids, hold now, by collection. */
  noteStorage(measured: ReadonlyMap<string, readonly CollectionBytes[]>): Promise<void>
  /** That the server runs; one of the same beginning takes its place. */
  noteRun(run: ServerRun): Promise<void>
  /** Ordered by time. Each is read when it is asked for, for some are long; one that can't be read is not there. */
  findTraffic<Kind extends TrafficKind>(wanted: TrafficWanted<Kind>): AsyncIterable<TrafficRow<Kind>>
  /** The newest of them. */
  findNewestTraffic<Kind extends TrafficKind>(
    wanted: TrafficWanted<Kind>,
  ): Promise<TrafficRow<Kind> | undefined>
  /** Cells of all that time together, of one key or collection where that is said. */
  sumCells(wanted: TrafficWanted<'hour-cells' | 'day-cells'> & CellFilter): Promise<TrafficCell[]>
  /**
   * Removes what is older than its kind is kept, and where all is too much, the older details of the apps with most. Nothing
   * while the clock is more than two days from what it was the last time, for 24 times at most: then it is believed.
   */
  tidyTraffic(): Promise<void>
}
