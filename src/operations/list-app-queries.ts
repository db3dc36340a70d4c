import { adviseIndex, type IndexAdvice } from '../auto-index/advise-index.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { FingerprintStats, IndexDecision } from '../query-stats/stats-snapshot.ts'
import type { KnownIndexes } from '../storage/index-jobs.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { costliestOf, describeQueryCost, type QueryCost } from './describe-query-cost.ts'
import type { AppInput } from './open-app.ts'

/** What the reads of an app have cost, by the shapes of their queries. */
export interface AppQueries {
  /** Since when they are counted; null where that is not known. */
  readonly since: string | null
  /** Reads that take as long or longer are counted as slow. */
  readonly slowMs: number
  /** Those that took most time first. */
  readonly queries: readonly DescribedQuery[]
}

interface DescribedQuery extends QueryCost {
  readonly advice: Omit<IndexAdvice, 'index' | 'decision'> & {
    readonly index: string | null
    readonly decision: IndexDecision | null
  }
}

/** @throws AppError as `authoriseCaller` does */
export async function listAppQueries(
  context: Pick<AccountsContext, 'accounts' | 'indexes' | 'queryStats' | 'slowMs'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<AppQueries> {
  const { accounts, indexes, queryStats, slowMs } = context
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'viewer', permission: 'read' })
  const known = await indexes.known(app.id)
  const { since, fingerprints } = queryStats.load()
  const queries = costliestOf(fingerprints, app.id).map((stats) => describeQuery(stats, known))
  return { since: since === 0 ? null : isoTime(since), slowMs, queries }
}

function describeQuery(stats: FingerprintStats, known: KnownIndexes): DescribedQuery {
  const { index, decision, ...advice } = adviseIndex(stats, known)
  return {
    ...describeQueryCost(stats),
    advice: { index: index ?? null, ...advice, decision: decision ?? null },
  }
}
