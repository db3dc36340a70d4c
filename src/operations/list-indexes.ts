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
  const noted = context.stats.load().indexes.filter((each) => each.app === app)
  return indexes
    .filter((index) => collection === undefined || index.collection === collection)
    .map((index) => {
      const stats = noted.find(
        ({ collection, name }) => collection === index.collection && name === index.name,
      )
      const { uses = 0, lastUsedAt } = stats ?? {}
      return { ...index, uses, lastUsedAt: uses === 0 ? undefined : lastUsedAt }
    })
}
