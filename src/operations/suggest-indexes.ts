import { adviseIndex, type IndexAdvice } from '../auto-index/advise-index.ts'
import type { FingerprintStats } from '../query-stats/stats-snapshot.ts'
import { appIdOf, type IndexContext } from './context.ts'

export interface Suggestion extends IndexAdvice {
  readonly stats: FingerprintStats
}

/**
 * What queries of an app cost, by their fingerprints and those that cost most first, and what was or would be done.
 * @throws AppError `app_not_found`
 */
export async function suggestIndexes(context: IndexContext, app: string): Promise<Suggestion[]> {
  const id = await appIdOf(context, app)
  const indexes = await context.indexes.listIndexes(id)
  const known = { indexes, documents: await context.indexes.countDocuments(id) }
  return context.stats
    .load()
    .fingerprints.filter((stats) => stats.app === id)
    .sort((a, b) => missed(b) - missed(a) || b.milliseconds - a.milliseconds)
    .map((stats) => ({ stats, ...adviseIndex(stats, known) }))
}

function missed({ account }: FingerprintStats): number {
  return account?.missedBenefit ?? 0
}
