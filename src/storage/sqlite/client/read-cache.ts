import { countKey, findKey } from '../../cache-key.ts'
import type { CountCommand, FindCommand, FindResult, GetCommand } from '../../store.ts'
import { type SeqlockCells, SeqlockTable } from '../protocol/seqlock-table.ts'
import { DocumentCache } from './document-cache.ts'
import { QueryResultCache } from './query-result-cache.ts'
import { bytesOfText } from './versioned-cache.ts'

/** Parts of the memory for what is kept. */
const DOCUMENTS_SHARE = 0.66
const LISTS_SHARE = 0.32
const COUNTS_SHARE = 0.02
/** Bytes of a whole list that is kept, at most. */
const LIST_BYTES = 1024 * 1024
/** Units of text. */
const LONG_LIST_LENGTH = 16 * 1024

/** What one thread keeps of what it has read. */
export class ReadCache {
  private readonly documents: DocumentCache
  private readonly lists: QueryResultCache<FindResult>
  private readonly counts: QueryResultCache<number>

  /**
   * @param sharers how many threads keep reads, and share the memory for that
   * @param mostBytes that memory
   */
  constructor(cells: SeqlockCells, { sharers, mostBytes }: { sharers: number; mostBytes: number }) {
    const versions = new SeqlockTable(cells)
    const own = mostBytes / sharers
    this.documents = new DocumentCache(versions, own * DOCUMENTS_SHARE)
    this.lists = new QueryResultCache({ versions, toKeep: listToKeep, mostBytes: own * LISTS_SHARE })
    this.counts = new QueryResultCache({ versions, toKeep: countToKeep, mostBytes: own * COUNTS_SHARE })
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

/** A long text as bytes, which are written to a socket as they are; a short one goes well with its head. */
function listToKeep({
  first,
  rest,
  end,
  documents,
}: FindResult): { value: FindResult; bytes: number } | undefined {
  if (rest !== undefined || first.length > LIST_BYTES) return undefined
  const found = documents?.()
  const kept = { ...(end && { end }), ...(found !== undefined && { documents: () => found }) }
  if (typeof first === 'string' && first.length < LONG_LIST_LENGTH)
    return { value: { first, ...kept }, bytes: bytesOfText(first) }
  const bytes = typeof first === 'string' ? Buffer.from(first) : first
  return bytes.length <= LIST_BYTES ? { value: { first: bytes, ...kept }, bytes: bytes.length } : undefined
}

function countToKeep(value: number): { value: number; bytes: number } {
  return { value, bytes: 0 }
}
