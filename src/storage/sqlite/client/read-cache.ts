import { PLENTY } from '../../../domain/memory.ts'
import { countKey, findKey } from '../../cache-key.ts'
import type { CountCommand, FindCommand, FindResult, GetCommand } from '../../store.ts'
import { type SeqlockCells, SeqlockTable } from '../protocol/seqlock-table.ts'
import { DocumentCache } from './document-cache.ts'
import { QueryResultCache } from './query-result-cache.ts'
import type { CacheBounds } from './versioned-cache.ts'

/** Units of JSON text of documents. */
const DOCUMENTS = { size: 32 * 1024 * 1024, values: 20_000 }
/** Bytes of whole answers that are kept in all, and in one of them at most. */
const LISTS = { size: 32 * 1024 * 1024, values: 10_000 }
const LIST_BYTES = 1024 * 1024
/** Units of text. */
const LONG_LIST_LENGTH = 16 * 1024
const COUNTS = { size: 2 * 1024 * 1024, values: 10_000 }
/** What a count takes, beside the question. */
const COUNT_BYTES = 100

/** What one thread keeps of what it has read. */
export class ReadCache {
  private readonly documents: DocumentCache
  private readonly lists: QueryResultCache<FindResult>
  private readonly counts: QueryResultCache<number>

  /**
   * @param sharers how many threads keep reads; together they hold to the bounds
   * @param keptBytes memory for what all of them keep, and what HTTP makes of it
   */
  constructor(cells: SeqlockCells, { sharers, keptBytes }: { sharers: number; keptBytes: number }) {
    const versions = new SeqlockTable(cells)
    const share = Math.min(1, keptBytes / PLENTY.keptBytes) / sharers
    this.documents = new DocumentCache(versions, shareOf(DOCUMENTS, share))
    this.lists = new QueryResultCache({ versions, toKeep: listToKeep, ...shareOf(LISTS, share) })
    this.counts = new QueryResultCache({ versions, toKeep: countToKeep, ...shareOf(COUNTS, share) })
  }

  document(
    command: Omit<GetCommand, 'projection'>,
    read: () => Promise<string | undefined>,
  ): string | undefined | Promise<string | undefined> {
    return this.documents.get(command, read)
  }

  list(command: FindCommand, read: () => Promise<FindResult>): FindResult | Promise<FindResult> {
    return this.lists.get(command, findKey(command), read)
  }

  count(command: CountCommand, read: () => Promise<number>): number | Promise<number> {
    return this.counts.get(command, countKey(command), read)
  }

  /** Forgets what is of apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    for (const cache of [this.documents, this.lists, this.counts]) cache.keepOnly(apps)
  }
}

function shareOf({ size, values }: CacheBounds, share: number): CacheBounds {
  return { size: Math.floor(size * share), values: Math.floor(values * share) }
}

/** A long text as bytes, which are written to a socket as they are; a short one goes well with its head. */
function listToKeep({ first, rest, end }: FindResult): { value: FindResult; size: number } | undefined {
  if (rest !== undefined || first.length > LIST_BYTES) return undefined
  const kept = end && { end }
  if (first.length < LONG_LIST_LENGTH) return { value: { first, ...kept }, size: 2 * first.length }
  const bytes = typeof first === 'string' ? Buffer.from(first) : first
  return bytes.length <= LIST_BYTES ? { value: { first: bytes, ...kept }, size: bytes.length } : undefined
}

function countToKeep(value: number): { value: number; size: number } {
  return { value, size: COUNT_BYTES }
}
