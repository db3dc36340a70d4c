import { isoTime } from '../domain/iso-time.ts'
import type { FingerprintStats } from '../query-stats/stats-snapshot.ts'

/** What reads of one shape have cost. */
export interface QueryCost {
  readonly collection: string
  /** Fields, kinds of conditions and sort; never a value. */
  readonly query: string
  readonly reads: number
  readonly slow: number
  readonly totalMs: number
  readonly meanMs: number
  readonly maxMs: number
  /** Documents and entries of indexes that were looked at, and documents found. */
  readonly examined: number
  readonly returned: number
  readonly lastSeen: string
  /** How the last read was carried out; null where that was not noted. */
  readonly plan: { readonly kind: string; readonly index?: string } | null
}

/** Those of an app, by its id, that took most time first. */
export function costliestOf(fingerprints: readonly FingerprintStats[], app: string): FingerprintStats[] {
  return fingerprints.filter((stats) => stats.app === app).sort((a, b) => b.milliseconds - a.milliseconds)
}

export function describeQueryCost(stats: FingerprintStats): QueryCost {
  const { collection, fingerprint, count, slowCount, milliseconds, maxMilliseconds } = stats
  const { examined, returned, lastSeenAt, lastPlan } = stats
  return {
    ...{ collection, query: fingerprint, reads: count, slow: slowCount },
    totalMs: tenths(milliseconds),
    meanMs: tenths(milliseconds / count),
    maxMs: tenths(maxMilliseconds),
    ...{ examined, returned, lastSeen: isoTime(lastSeenAt), plan: lastPlan ?? null },
  }
}

function tenths(milliseconds: number): number {
  return Math.round(10 * milliseconds) / 10
}
