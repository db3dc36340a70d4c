import { fingerprintOf } from '../query-stats/query-fingerprint.ts'
import type { IndexAddress, ObservedRead, QueryStats } from '../query-stats/query-stats.ts'
import type {
  FingerprintStats,
  IndexReason,
  IndexStats,
  QueryAccount,
} from '../query-stats/stats-snapshot.ts'
import type { CollectionAddress } from '../storage/store.ts'
import { buildCost, COST } from './auto-index-rule.ts'
import { candidatesFor } from './candidate-indexes.ts'

/** Collections whose writes are counted; beyond, those without an account are forgotten. */
const COLLECTIONS = 3000

/**
 * The two accounts of the rule, in documents that a scan looks at: for each fingerprint the benefit of an index that it
 * misses, and for each automatic index the credit that it has left.
 */
export class IndexAccounts {
  private readonly stats: QueryStats
  private readonly now: () => number
  /** Documents written, of the collections that have an account. */
  private readonly writes = new Map<string, number>()

  constructor({ stats, now }: { stats: QueryStats; now: () => number }) {
    this.stats = stats
    this.now = now
  }

  /** Books a read that `QueryStats.record` took note of. */
  charge(query: FingerprintStats, read: ObservedRead): void {
    const { plan, returned } = read.report
    query.account ??= this.open(read)
    const { account } = query
    account.missedBenefit = Math.max(0, account.missedBenefit - this.upkeep(query, account))
    if (read.startedAt >= account.countedFrom && (plan.kind === 'scan' || plan.kind === 'index'))
      account.missedBenefit += Math.max(0, plan.examined - COST.found * returned)
    const { app, collection } = read
    if (plan.index !== undefined) this.credit({ app, collection, name: plan.index }, plan.examined)
  }

  countWrites({ app, collection }: CollectionAddress, documents: number): void {
    const key = keyOf(app, collection)
    const before = this.writes.get(key)
    if (before !== undefined) this.writes.set(key, before + documents)
  }

  /** From now on the index is one that the service made, and may drop. */
  adopt(index: IndexAddress, documents: number, reason?: IndexReason): void {
    const stats = this.stats.index(index)
    if (stats.account !== undefined) return
    const writesSeen = this.countedWrites(index)
    stats.account = {
      ...{ documents, credit: buildCost(documents), writesSeen, idleSince: this.now(), spared: 0 },
      ...(reason !== undefined && { reason }),
    }
    this.stats.changes++
  }

  /** The automatic indexes, their credit up to date. */
  automaticIndexes(): IndexStats[] {
    const indexes = this.stats.allIndexes().filter(({ account }) => account !== undefined)
    for (const { account, ...at } of indexes) account!.credit -= this.upkeep(at, account!)
    return indexes
  }

  /** Goes on with the accounts that were restored. Writes are counted from 0 again. */
  resume(savedAt: number): void {
    const pause = Math.max(0, this.now() - savedAt)
    for (const stats of [...this.stats.allFingerprints(), ...this.stats.allIndexes()]) {
      if (stats.account === undefined) continue
      stats.account.writesSeen = this.countedWrites(stats)
      if ('idleSince' in stats.account) stats.account.idleSince += pause
    }
  }

  private open({ app, collection, filter, sort }: ObservedRead): QueryAccount {
    return {
      candidates: candidatesFor(fingerprintOf(filter, sort)),
      missedBenefit: 0,
      countedFrom: 0,
      writesSeen: this.countedWrites({ app, collection }),
      notBefore: 0,
      tried: [],
    }
  }

  private credit(index: IndexAddress, examined: number): void {
    const account = this.stats.knownIndex(index)?.account
    if (account === undefined) return
    const { documents } = account
    const spared = Math.max(0, documents - COST.found * examined)
    // What was spared long ago is no reason to keep what only costs today.
    const most = 2 * buildCost(documents)
    account.credit = Math.min(most, account.credit - this.upkeep(index, account) + spared)
    account.spared += spared
    account.idleSince = this.now()
  }

  /** What the writes since the account was last brought up to date cost an index, or would have. */
  private upkeep({ app, collection }: CollectionAddress, account: { writesSeen: number }): number {
    const writes = this.writes.get(keyOf(app, collection)) ?? 0
    const cost = COST.upkeep * (writes - account.writesSeen)
    account.writesSeen = writes
    return cost
  }

  /** Counts the writes of a collection from now on, if it was not done before. */
  private countedWrites({ app, collection }: CollectionAddress): number {
    const key = keyOf(app, collection)
    const known = this.writes.get(key)
    if (known !== undefined) return known
    if (this.writes.size >= COLLECTIONS) this.forgetWrites()
    this.writes.set(key, 0)
    return 0
  }

  private forgetWrites(): void {
    const known = [...this.stats.allFingerprints(), ...this.stats.allIndexes()]
    const kept = new Set(known.map(({ app, collection }) => keyOf(app, collection)))
    for (const key of this.writes.keys()) if (!kept.has(key)) this.writes.delete(key)
  }
}

/** No name of a collection has a NUL. */
function keyOf(app: string, collection: string): string {
  return `${app}\0${collection}`
}
