import type { CollectionBytes } from '../../analytics/pack.ts'
import { addCellToTotals, emptyTotals } from '../../analytics/traffic.ts'
import type { TrafficDelta } from '../../analytics/traffic-delta.ts'
import type { TrafficKind, TrafficValues } from '../traffic-store.ts'

const HOUR_SECONDS = 60 * 60
const DAY_SECONDS = 24 * HOUR_SECONDS

/** What is to be added to the row of an app's minute, hour or day. */
export type TrafficAddition = {
  readonly [Kind in TrafficKind]: {
    readonly app: string
    readonly kind: Kind
    readonly at: number
    readonly value: TrafficValues[Kind]
  }
}[TrafficKind]

/** What was counted, as what is to be added: of each hour to its day, too. Several may be for one row. */
export function additionsOf({ minutes, hours, addresses, visits, errors }: TrafficDelta): TrafficAddition[] {
  return [
    ...minutes.map(({ app, at, totals }) => ({ app, kind: 'minute', at, value: totals }) as const),
    ...hours.flatMap(({ app, at, cells }): TrafficAddition[] => {
      const day = at - (at % DAY_SECONDS)
      // Whatever of minutes was lost where there were too many.
      const totals = emptyTotals()
      for (const cell of cells) addCellToTotals(totals, cell)
      return [
        { app, kind: 'hour', at, value: totals },
        { app, kind: 'day', at: day, value: totals },
        { app, kind: 'hour-cells', at, value: cells },
        { app, kind: 'day-cells', at: day, value: cells },
      ]
    }),
    ...addresses.map(
      ({ app, day, registers }) => ({ app, kind: 'day-addresses', at: day, value: registers }) as const,
    ),
    ...visits.map(({ app, day, ...value }) => ({ app, kind: 'day-visits', at: day, value }) as const),
    ...errors.map(
      ({ app, day, ...error }): TrafficAddition => ({ app, kind: 'day-errors', at: day, value: [error] }),
    ),
  ]
}

/** @param now milliseconds since the Unix epoch */
export function storageAdditions(
  measured: ReadonlyMap<string, readonly CollectionBytes[]>,
  now: number,
): TrafficAddition[] {
  const seconds = Math.floor(now / 1000)
  return [...measured].flatMap(([app, collections]): TrafficAddition[] => {
    const value = [...collections]
    return [
      { app, kind: 'hour-storage', at: seconds - (seconds % HOUR_SECONDS), value },
      { app, kind: 'day-storage', at: seconds - (seconds % DAY_SECONDS), value },
    ]
  })
}
