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
  /** Why a unique one failed. */
  readonly problem?: IndexProblem
}

export function describeIndex(record: IndexRecord): DescribedIndex {
  const { collection, name, isUnique, isAutomatic, state, documents, builtDocuments, bytes, problem } = record
  return {
    collection,
    fields: name,
    unique: isUnique,
    automatic: isAutomatic,
    state,
    documents,
    builtDocuments,
    bytes,
    ...(problem !== undefined && { problem }),
  }
}

/** The same with how often it was used. */
export interface DescribedUse extends DescribedIndex {
  readonly uses: number
  readonly lastUsed: string | null
}

export function describeUsedIndex(record: UsedIndex): DescribedUse {
  const { uses, lastUsedAt } = record
  return {
    ...describeIndex(record),
    uses,
    lastUsed: lastUsedAt === undefined ? null : isoTime(lastUsedAt),
  }
}
