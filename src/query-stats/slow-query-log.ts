import type { ReadReport } from '../storage/store.ts'
import type { FingerprintStats } from './stats-snapshot.ts'

/** Time between two lines about queries of the same fingerprint. */
const SILENCE_MS = 60_000

/** Tells of slow reads by the fingerprint of their queries, never with a value, and of each fingerprint once a minute. */
export function slowQueryLog({
  now,
  slowMs,
  tell,
}: {
  now: () => number
  slowMs: number
  tell: (line: string) => void
}): (stats: FingerprintStats, report: ReadReport) => void {
  const saidAt = new WeakMap<FingerprintStats, number>()
  return (stats, { plan, returned, milliseconds }) => {
    if (milliseconds < slowMs || now() - (saidAt.get(stats) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS) return
    saidAt.set(stats, now())
    const how = plan.index === undefined ? plan.kind : `${plan.kind} ${plan.index}`
    tell(
      `slow query of ${stats.collection}: ${stats.fingerprint}; ${Math.round(milliseconds)} ms by ${how}, ` +
        `${plan.examined} looked at, ${returned} found; ${stats.slowCount} of ${stats.count} were slow`,
    )
  }
}
