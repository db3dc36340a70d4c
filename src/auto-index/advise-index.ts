import type { SortField } from '../query/ast.ts'
import { indexName } from '../query/index-fields.ts'
import type { FingerprintStats, IndexDecision } from '../query-stats/stats-snapshot.ts'
import type { KnownIndex, KnownIndexes } from '../storage/index-jobs.ts'
import { AUTO_INDEX, buildCost, type Obstacle, obstacleTo } from './auto-index-rule.ts'
import { beginsWith, candidatesInTurn, nextCandidate } from './candidate-indexes.ts'

export interface IndexAdvice {
  /** The name of the index that serves the queries, or would; undefined where none can. */
  readonly index: string | undefined
  /** How that index is where there is one; else whether it is worth what building it costs, or why not yet. */
  readonly state: KnownIndex['state'] | 'worth' | Obstacle
  /** What was decided or is still missing, and why. */
  readonly verdict: string
  /** Documents that were looked at too many, and from how many of them on an index is worth it. */
  readonly missed: number
  readonly needed: number
  /** What was decided last, where something was. */
  readonly decision: IndexDecision | undefined
}

/**
 * What was done about the cost of a fingerprint, or would be.
 * @param known what its app has
 */
export function adviseIndex(seen: FingerprintStats, known: KnownIndexes): IndexAdvice {
  // There may be fewer than its scans have looked at, as where the collection was emptied.
  const documents = Math.min(seen.documents, known.documents.get(seen.collection) ?? 0)
  const stats = { ...seen, documents }
  const { account } = stats
  const { missedBenefit = 0, decision } = account ?? {}
  const costs = { missed: Math.round(missedBenefit), needed: buildCost(documents), decision }
  const there = servingIndex(stats, known.indexes)
  if (there !== undefined) {
    const { name: index, state } = there
    return { index, state, verdict: decided(stats) ?? `the index ${index} is there`, ...costs }
  }
  const next = nextCandidate(stats)
  const state = next === undefined ? 'no-candidate' : (obstacleTo(stats) ?? 'worth')
  const verdict = decided(stats) ?? verdictOn(stats, costs)
  return { index: next && indexName(next), state, verdict, ...costs }
}

/** The index by which the last read was carried out, or that could have served it. */
function servingIndex(stats: FingerprintStats, known: readonly KnownIndex[]): KnownIndex | undefined {
  const ofCollection = known.filter(({ collection }) => collection === stats.collection)
  const serves = (wanted: readonly SortField[]) =>
    ofCollection.find(({ fields }) => beginsWith(fields, wanted))
  return (
    ofCollection.find(({ name }) => name === stats.lastPlan?.index) ??
    candidatesInTurn(stats)
      .map(serves)
      .find((index) => index !== undefined)
  )
}

function decided({ account }: FingerprintStats): string | undefined {
  if (account?.decision === undefined) return undefined
  const { what, at, why } = account.decision
  return `${what} at ${new Date(at).toISOString()}: ${why}`
}

function verdictOn(stats: FingerprintStats, { missed, needed }: { missed: number; needed: number }): string {
  const obstacle = obstacleTo(stats)
  switch (obstacle) {
    case undefined:
      return 'worth an index'
    case 'no-candidate':
      return 'no index would help'
    case 'few-documents':
      return `fewer than ${AUTO_INDEX.documents} documents`
    case 'little-benefit':
      return `looked at ${missed} documents too many; worth an index from ${needed} on`
    case 'few-reads':
      return `seen ${stats.count} times; worth an index from ${AUTO_INDEX.count} on`
    default:
      return obstacle satisfies never
  }
}
