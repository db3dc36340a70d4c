import { isoTime } from '../domain/iso-time.ts'
import type { IndexProblem, IndexRecord } from '../storage/index-store.ts'
import type { UsedIndex } from './list-indexes.ts'

/** An index as it is told outside. */
export interface DescribedIndex {
  readonly collection: string
  /** Its name, which says them. */
  readonly fields: string
  readonly unique: boolean
  readonly automatic: boolean
  readonly state: IndexRecord['state']
  readonly documents: number
  readonly builtDocuments: number
  readonly bytes: number
  readonly createdAt: string
  /** Why a unique one failed. */
  readonly problem?: IndexProblem
}

export function describeIndex(record: IndexRecord): DescribedIndex {
  const {
    collection,
    name,
    isUnique,
    isAutomatic,
    state,
    documents,
    builtDocuments,
    bytes,
    createdAt,
    problem,
  } = record
  return {
    collection,
    fields: name,
    unique: isUnique,
    automatic: isAutomatic,
    state,
    documents,
    builtDocuments,
    bytes,
    createdAt: isoTime(createdAt),
    ...(problem !== undefined && { problem }),
  }
}

/** The same with how often it was used. */
export interface DescribedUse extends DescribedIndex {
  readonly uses: number
  readonly lastUsed: string | null
  /** Since when no read used it, where that makes it one to drop. */
  readonly unusedSince: string | null
  /** Only of an automatic one, where it is known: the shape of the queries that it was made for, and what they had cost. */
  readonly reason?: { readonly query: string; readonly why: string }
  /** Only of an automatic one: documents that reads did not have to look at for it. */
  readonly spared?: number
}

export function describeUsedIndex(record: UsedIndex): DescribedUse {
  const { uses, lastUsedAt, unusedSince, account } = record
  const { reason, spared } = account ?? {}
  return {
    ...describeIndex(record),
    uses,
    lastUsed: lastUsedAt === undefined ? null : isoTime(lastUsedAt),
    unusedSince: unusedSince === undefined ? null : isoTime(unusedSince),
    ...(reason !== undefined && { reason: { query: reason.fingerprint, why: reason.why } }),
    ...(spared !== undefined && { spared }),
  }
}
