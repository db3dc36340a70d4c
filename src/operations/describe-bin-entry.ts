import { isoTime } from '../domain/iso-time.ts'
import type { Principal } from '../domain/principal.ts'
import { type BinEntry, DROPPED_COLLECTION_MS } from '../storage/collection-store.ts'
import { may } from './authorise.ts'

export interface DescribedBinEntry {
  readonly id: number
  readonly name: string
  readonly documents: number
  readonly reason: BinEntry['reason']
  /** Null for those who may not do it, as they see nobody else of the app either. */
  readonly by: string | null
  readonly droppedAt: string
  /** Then it is removed with all of its documents. */
  readonly restorableUntil: string
}

export function describeBinEntry(principal: Principal, entry: BinEntry): DescribedBinEntry {
  const { id, name, documents, reason, by, droppedAt } = entry
  return {
    ...{ id, name, documents, reason },
    by: may(principal, 'delete') ? by : null,
    droppedAt: isoTime(droppedAt),
    restorableUntil: isoTime(droppedAt + DROPPED_COLLECTION_MS),
  }
}
