import type { StatsSnapshot } from '../query-stats/stats-snapshot.ts'
import type { IndexRecord } from '../storage/index-store.ts'
import { appIdOf, type IndexContext } from './context.ts'

export type { IndexRecord } from '../storage/index-store.ts'

export interface UsedIndex extends IndexRecord {
  /** Reads that were answered by it, as far as the server has seen and noted. */
  readonly uses: number
  /** Milliseconds since the Unix epoch; undefined where it was never used. */
  readonly lastUsedAt: number | undefined
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
  return withUses(found, context.stats.load(), app)
}

/** Indexes of an app with how often they were used, as far as that was noted. */
export function withUses(
  indexes: readonly IndexRecord[],
  { indexes: noted }: StatsSnapshot,
  app: string,
): UsedIndex[] {
  return indexes.map((index) => {
    const stats = noted.find(
      (each) => each.app === app && each.collection === index.collection && each.name === index.name,
    )
    const { uses = 0, lastUsedAt } = stats ?? {}
    return { ...index, uses, lastUsedAt: uses === 0 ? undefined : lastUsedAt }
  })
}
