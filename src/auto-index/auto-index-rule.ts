import type { FingerprintStats, IndexAccount } from '../query-stats/stats-snapshot.ts'
import { hasCandidates } from './candidate-indexes.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * What things cost, in documents looked at by a scan, so that neither the machine nor its load changes a decision.
 * How they were measured is in docs/decisions/015-automatic-indexes.md.
 */
export const COST = Object.freeze({
  /** A document found by an index. */
  found: 4,
  /** A document put into an index when that is built. */
  built: 18,
  /** An index kept up to date with one write of a document. */
  upkeep: 42,
})

/** The bounds of the rule that `AutoIndex` follows. */
export const AUTO_INDEX = Object.freeze({
  /** Documents of a collection below which no index is made. */
  documents: 2000,
  /** Reads that a fingerprint has to have. */
  count: 10,
  /** Automatic indexes of one collection. */
  perCollection: 16,
  /** Time without a use after which an index is dropped. */
  unusedMs: 7 * DAY_MS,
  /** Time after which a fingerprint is looked at again whose index was dropped, or whose candidates were all tried. */
  restMs: 7 * DAY_MS,
  /** The same where its index could not be made. */
  retryMs: 60 * 60 * 1000,
})

/** What building an index costs, in documents looked at by a scan. */
export function buildCost(documents: number): number {
  return COST.built * documents
}

/** Why no index is made for a fingerprint, or undefined where one is worth it. */
export type Obstacle = 'no-candidate' | 'few-documents' | 'little-benefit' | 'few-reads'

export function obstacleTo({ account, documents, count }: FingerprintStats): Obstacle | undefined {
  if (account === undefined || !hasCandidates(account.candidates)) return 'no-candidate'
  if (documents < AUTO_INDEX.documents) return 'few-documents'
  if (account.missedBenefit < buildCost(documents)) return 'little-benefit'
  if (count < AUTO_INDEX.count) return 'few-reads'
  return undefined
}

/** Why an automatic index should be dropped, or undefined where it should stay. */
export function reasonToDrop({ credit, idleSince }: IndexAccount, now: number): string | undefined {
  if (now - idleSince > AUTO_INDEX.unusedMs) return 'it was not used for 7 days'
  if (credit < 0) return 'it cost writes more than it spared reads'
  return undefined
}
