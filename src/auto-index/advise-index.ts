import { indexName } from '../query/index-fields.ts'
import type { FingerprintStats } from '../query-stats/stats-snapshot.ts'
import { AUTO_INDEX, buildCost, obstacleTo } from './auto-index-rule.ts'
import { nextCandidate } from './candidate-indexes.ts'

export interface IndexAdvice {
  /** The name of the index that serves the queries, or would; undefined where none can. */
  readonly index: string | undefined
  /** What was decided or is still missing, and why. */
  readonly verdict: string
}

/** What was done about the cost of a fingerprint, or would be. */
export function adviseIndex(stats: FingerprintStats): IndexAdvice {
  const decision = stats.account?.decision
  if (decision !== undefined) {
    const { what, at, index, why } = decision
    return { index, verdict: `${what} at ${new Date(at).toISOString()}: ${why}` }
  }
  const next = nextCandidate(stats)
  return { index: next && indexName(next), verdict: verdictOn(stats) }
}

function verdictOn(stats: FingerprintStats): string {
  const { account, count, documents } = stats
  const obstacle = obstacleTo(stats)
  switch (obstacle) {
    case undefined:
      return 'worth an index'
    case 'no candidate':
      return 'no index would help'
    case 'few documents':
      return `fewer than ${AUTO_INDEX.documents} documents looked at`
    case 'little benefit':
      return `looked at ${Math.round(account?.missedBenefit ?? 0)} documents too many; worth an index from ${buildCost(documents)} on`
    case 'few reads':
      return `seen ${count} times; worth an index from ${AUTO_INDEX.count} on`
    default:
      return obstacle satisfies never
  }
}
