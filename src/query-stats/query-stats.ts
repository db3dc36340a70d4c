import type { Filter, SortField } from '../query/ast.ts'
import type { CollectionAddress, ReadReport } from '../storage/store.ts'
import { fingerprintOf } from './query-fingerprint.ts'
import type { FingerprintStats, IndexStats, StatsSnapshot } from './stats-snapshot.ts'

/** Fingerprints that are kept, over all apps; beyond, the ones that cost least are forgotten. */
const FINGERPRINTS = 1000
/** Indexes whose uses are kept; beyond, the ones that were unused for longest are forgotten. */
const INDEXES = 2000
/** What is forgotten at a time, so that looking for it is rare. */
const FORGOTTEN = 100

export interface IndexAddress extends CollectionAddress {
  readonly name: string
}

export interface ObservedRead extends CollectionAddress {
  readonly filter: Filter
  readonly sort: readonly SortField[]
  /** Documents asked for at most; undefined where they are counted. */
  readonly limit: number | undefined
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  readonly report: ReadReport
}

/**
 * Query statistics, as PostgreSQL has in pg_stat_statements and pg_stat_user_indexes: what reads cost by the
 * fingerprint of their queries, and how often indexes were used. They hold names of fields, and never a value. In memory
 * and bounded.
 */
export class QueryStats {
  private readonly fingerprints = new Map<string, FingerprintStats>()
  private readonly indexes = new Map<string, IndexStats>()
  private readonly now: () => number
  private readonly slowMs: number
  private since: number
  /** Rises with every change. */
  changes = 0

  /** @param slowMs reads that take as long or longer are counted as slow */
  constructor({ now, slowMs }: { now: () => number; slowMs: number }) {
    this.now = now
    this.slowMs = slowMs
    this.since = now()
  }

  /** What is known of the read's fingerprint, this read included. */
  record({ app, collection, filter, sort, limit, report }: ObservedRead): FingerprintStats {
    const { plan, returned, milliseconds } = report
    const stats = this.fingerprint({ app, collection }, fingerprintOf(filter, sort).text)
    stats.count++
    stats.examined += plan.examined
    stats.returned += returned
    stats.milliseconds += milliseconds
    stats.maxMilliseconds = Math.max(stats.maxMilliseconds, milliseconds)
    if (milliseconds >= this.slowMs) stats.slowCount++
    if (limit !== undefined && returned >= limit) stats.fullCount++
    stats.lastSeenAt = this.now()
    stats.lastPlan = { kind: plan.kind, ...(plan.index !== undefined && { index: plan.index }) }
    if (plan.kind === 'scan') stats.documents = Math.max(stats.documents, plan.examined)
    if (plan.index !== undefined) {
      const index = this.index({ app, collection, name: plan.index })
      index.uses++
      index.lastUsedAt = this.now()
    }
    this.changes++
    return stats
  }

  allFingerprints(): FingerprintStats[] {
    return [...this.fingerprints.values()]
  }

  allIndexes(): IndexStats[] {
    return [...this.indexes.values()]
  }

  /** Of an index, which is known from here on. */
  index({ app, collection, name }: IndexAddress): IndexStats {
    const key = keyOf(app, collection, name)
    const known = this.indexes.get(key)
    if (known !== undefined) return known
    if (this.indexes.size >= INDEXES) evictLeastWorth(this.indexes, ({ lastUsedAt }) => lastUsedAt)
    const made: IndexStats = { app, collection, name, uses: 0, lastUsedAt: 0 }
    this.indexes.set(key, made)
    return made
  }

  knownIndex({ app, collection, name }: IndexAddress): IndexStats | undefined {
    return this.indexes.get(keyOf(app, collection, name))
  }

  forgetIndex({ app, collection, name }: IndexAddress): void {
    this.indexes.delete(keyOf(app, collection, name))
    this.changes++
  }

  /** Forgets what belongs to apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const map of [this.fingerprints, this.indexes])
      for (const [key, { app }] of map) if (!apps.has(app)) map.delete(key)
  }

  snapshot(): StatsSnapshot {
    const { since } = this
    return {
      savedAt: this.now(),
      since,
      fingerprints: this.allFingerprints(),
      indexes: this.allIndexes(),
    }
  }

  /** Goes on from what was saved. */
  restore({ since, fingerprints, indexes }: StatsSnapshot): void {
    if (since > 0) this.since = since
    for (const saved of fingerprints)
      this.fingerprints.set(keyOf(saved.app, saved.collection, saved.fingerprint), copyOf(saved))
    for (const saved of indexes)
      this.indexes.set(keyOf(saved.app, saved.collection, saved.name), copyOf(saved))
  }

  private fingerprint({ app, collection }: CollectionAddress, fingerprint: string): FingerprintStats {
    const key = keyOf(app, collection, fingerprint)
    const known = this.fingerprints.get(key)
    if (known !== undefined) return known
    if (this.fingerprints.size >= FINGERPRINTS) evictLeastWorth(this.fingerprints, costOf)
    const made: FingerprintStats = {
      app,
      collection,
      fingerprint,
      count: 0,
      examined: 0,
      returned: 0,
      milliseconds: 0,
      maxMilliseconds: 0,
      slowCount: 0,
      fullCount: 0,
      lastSeenAt: 0,
      documents: 0,
    }
    this.fingerprints.set(key, made)
    return made
  }
}

function costOf({ milliseconds, account }: FingerprintStats): number {
  return milliseconds + (account?.missedBenefit ?? 0)
}

function copyOf<Stats extends FingerprintStats | IndexStats>(stats: Stats): Stats {
  return { ...stats, ...(stats.account && { account: { ...stats.account } }) }
}

function evictLeastWorth<Entry>(entries: Map<string, Entry>, worth: (entry: Entry) => number): void {
  const least = [...entries].sort(([, a], [, b]) => worth(a) - worth(b)).slice(0, FORGOTTEN)
  for (const [key] of least) entries.delete(key)
}

/** No name of a collection or of a field has a NUL. */
function keyOf(...parts: readonly string[]): string {
  return parts.join('\0')
}
