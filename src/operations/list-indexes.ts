import { AUTO_INDEX } from '../auto-index/auto-index-rule.ts'
import type { IndexAccount, StatsSnapshot } from '../query-stats/stats-snapshot.ts'
import type { IndexRecord } from '../storage/index-store.ts'
import { appIdOf, type IndexContext } from './context.ts'

export type { IndexRecord } from '../storage/index-store.ts'

export interface UsedIndex extends IndexRecord {
  /** Reads that were answered by it, as far as the server has seen and noted. */
  readonly uses: number
  /** Milliseconds since the Unix epoch; undefined where it was never used. */
  readonly lastUsedAt: number | undefined
  /** Since when no read used it, where that makes it one to drop. */
  readonly unusedSince: number | undefined
  /** Only of an automatic one. */
  readonly account: IndexAccount | undefined
}

/**
 * @param collection without it, those of every collection of the app
 * @throws AppError `app_not_found`
 */
export async function listIndexes(
  context: IndexContext,
  { app: slug, collection }: { app: string; collection?: string | undefined },
): Promise<UsedIndex[]> {
  const app = await appIdOf(context, slug)
  const indexes = await context.indexes.listIndexes(app)
  const found = indexes.filter((index) => collection === undefined || index.collection === collection)
  return withUses(found, context.stats.load(), { app, now: context.now() })
}

/** Indexes of an app with how often they were used, as far as that was noted. */
export function withUses(
  indexes: readonly IndexRecord[],
  { indexes: noted, since }: StatsSnapshot,
  { app, now }: { readonly app: string; readonly now: number },
): UsedIndex[] {
  return indexes.map((index) => {
    const stats = noted.find(
      (each) => each.app === app && each.collection === index.collection && each.name === index.name,
    )
    const { uses = 0, lastUsedAt = 0 } = stats ?? {}
    const unused = {
      index,
      now,
      since: Math.max(since, index.createdAt, index.collectionNamedAt, lastUsedAt),
    }
    return {
      ...index,
      uses,
      lastUsedAt: uses === 0 ? undefined : lastUsedAt,
      unusedSince: since > 0 && isToDrop(unused) ? unused.since : undefined,
      account: index.isAutomatic ? stats?.account : undefined,
    }
  })
}

/** Whether an index only costs: those that the service made it drops itself, and a unique one is there for writes. */
function isToDrop({ index, since, now }: { index: IndexRecord; since: number; now: number }): boolean {
  const { isAutomatic, isUnique, state } = index
  return !isAutomatic && !isUnique && state === 'ready' && now - since > AUTO_INDEX.unusedMs
}
