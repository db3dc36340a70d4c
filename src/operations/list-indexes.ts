import type { IndexRecord } from '../storage/index-store.ts'
import { appIdOf, type IndexContext } from './index-context.ts'

export type { IndexRecord } from '../storage/index-store.ts'

/**
 * @param collection without it, those of every collection of the app
 * @throws AppError `app_not_found`
 */
export async function listIndexes(
  context: IndexContext,
  { app, collection }: { app: string; collection?: string | undefined },
): Promise<IndexRecord[]> {
  const indexes = await context.indexes.listIndexes(await appIdOf(context, app))
  return indexes.filter((index) => collection === undefined || index.collection === collection)
}
