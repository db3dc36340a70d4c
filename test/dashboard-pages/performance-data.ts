import { QueryStatsFile } from '../../src/query-stats/query-stats-file.ts'
import type { FingerprintStats, IndexStats, QueryAccount } from '../../src/query-stats/stats-snapshot.ts'
import type { Dashboard } from '../dashboard-api/start-dashboard.ts'

interface NotedReads {
  /** By its slug. */
  readonly app: string
  readonly collection: string
  readonly queries: readonly (Partial<FingerprintStats> & Pick<FingerprintStats, 'fingerprint'>)[]
  readonly indexes?: readonly (Partial<IndexStats> & Pick<IndexStats, 'name'>)[]
}

/** What queries have cost that miss an index over one field: more than making it would. */
export function missing(field: string): QueryAccount {
  const candidates = { byConditions: [[{ path: [field], direction: 1 as const }]], bySort: undefined }
  return { candidates, missedBenefit: 90_000, countedFrom: 0, writesSeen: 0, notBefore: 0, tried: [] }
}

/** Writes down for a running server what it would have seen of the reads of an app; nothing is read by a key meanwhile. */
export async function noteReads(
  { accounts, server }: Dashboard,
  { app: slug, collection, queries, indexes = [] }: NotedReads,
): Promise<void> {
  const app = (await accounts.listApps()).find((each) => each.slug === slug)!.id
  const now = Date.now()
  const of = { app, collection }
  const counts = { count: 20, slowCount: 0, fullCount: 0, examined: 60_000, returned: 40, documents: 3000 }
  const times = { milliseconds: 900, maxMilliseconds: 90, lastSeenAt: now - 60_000 }
  const lastPlan = { kind: 'scan' } as const
  await new QueryStatsFile({ dataDir: server.folder }).save({
    savedAt: now,
    since: now - 9 * 24 * 60 * 60 * 1000,
    fingerprints: queries.map((query) => ({ ...of, ...counts, ...times, lastPlan, ...query })),
    indexes: indexes.map((index) => ({ ...of, uses: 0, lastUsedAt: 0, ...index })),
  })
}
