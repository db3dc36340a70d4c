import type { FingerprintStats } from '../query-stats/stats-snapshot.ts'
import { appIdOf, type IndexContext } from './context.ts'

/**
 * The queries of an app that were slow, by their fingerprints and the slowest first.
 * @throws AppError `app_not_found`
 */
export async function listSlowQueries(context: IndexContext, app: string): Promise<FingerprintStats[]> {
  const id = await appIdOf(context, app)
  return context.stats
    .load()
    .fingerprints.filter((stats) => stats.app === id && stats.slowCount > 0)
    .sort((a, b) => b.maxMilliseconds - a.maxMilliseconds)
}
