import { AppError } from '../../../errors.ts'
import type { CompiledFilter } from '../protocol/compiled-filter.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import type {
  Continuable,
  DeleteManyRequest,
  FoundRowIds,
  LocatedChunk,
  ReadRequest,
  SearchRequired,
  UpdateManyRequest,
} from '../protocol/requests.ts'
import type { ResultMemoryLimit, ResultMemoryUse } from './result-memory-limit.ts'

/** How often readers look again where so much was written meanwhile that what they found is of no use. */
const REPEATED_SEARCHES = 2
/** Row ids that travel to the writer, 8 bytes each. Where more match, it is the writing that takes long. */
const FOUND_ROW_IDS = 1_000_000

type WriteByQuery = UpdateManyRequest | DeleteManyRequest

export type SearchRequest = Extract<ReadRequest, { readonly kind: 'findRowIds' | 'locate' }>

/** The calls that this needs of the storage threads. */
export interface SearchThreads {
  readonly writer: { call<Result>(request: WriteByQuery, since: number): Promise<Result> }
  readonly reader: { call<Result>(request: SearchRequest): Promise<Result> }
}

/** What one search may take. */
export interface SearchAllowance {
  /** For all of it together. */
  readonly deadlineMs: number
  readonly held: ResultMemoryLimit
  readonly isCancelled?: (() => boolean) | undefined
}

/**
 * Carries out a write by query. Where looking for its documents may take long, the writer asks for that to be done by
 * a reader first, so that it is held for what has to change alone. What it does is what it would have done if it had
 * looked itself: all or nothing, to the documents that match when it is committed.
 * @throws AppError `deadline_exceeded`, also where nobody waits for the answer any more, `overloaded`, and what the
 * threads answer
 */
export async function searchThenWrite<Result>(
  { writer, reader }: SearchThreads,
  request: WriteByQuery,
  { deadlineMs, held, isCancelled }: SearchAllowance,
): Promise<Result> {
  const since = monotonicMs()
  const until = since + deadlineMs
  const checkTime = (): void => {
    if (monotonicMs() <= until && isCancelled?.() !== true) return
    throw new AppError('deadline_exceeded', 'the write took too long in the store; narrow its query')
  }
  const { app, collection, filter } = request
  const begin = (limit: number): Promise<Continuable<LocatedChunk>> => {
    checkTime()
    return reader.call({ kind: 'findRowIds', app, collection, filter, limit, until })
  }
  const goOn = (compiled: CompiledFilter, after: number, limit: number): Promise<LocatedChunk> => {
    checkTime()
    const budgetMs = until - monotonicMs()
    return reader.call({ kind: 'locate', app, collection, filter: compiled, limit, after, budgetMs })
  }
  const wanted = request.kind === 'updateMany' && !request.multi ? 1 : FOUND_ROW_IDS
  let answer = await writer.call<Result | SearchRequired>(request, since)
  const holding = held.begin()
  try {
    for (let searches = 0; isSearchRequired(answer); searches++) {
      holding.release()
      const found = await foundRowIds({ begin, goOn }, wanted, { ...answer, holding })
      checkTime()
      answer = await writer.call({ ...request, found, isFinal: searches === REPEATED_SEARCHES }, since)
    }
    return answer
  } finally {
    holding.release()
  }
}

/** Looks for the first of some row ids, and for those behind a row id. */
interface Searching {
  readonly begin: (limit: number) => Promise<Continuable<LocatedChunk>>
  readonly goOn: (compiled: CompiledFilter, after: number, limit: number) => Promise<LocatedChunk>
}

async function foundRowIds(
  { begin, goOn }: Searching,
  wanted: number,
  { mark, holding }: SearchRequired & { readonly holding: ResultMemoryUse },
): Promise<FoundRowIds> {
  const rowIds: Float64Array[] = []
  let left = wanted
  let to = 0
  const first = await begin(left)
  for (let chunk: LocatedChunk = first; ; chunk = await goOn(first.filter!, to, left)) {
    holding.take(chunk.rowIds.length)
    if (chunk.rowIds.length > 0) rowIds.push(chunk.rowIds)
    left -= chunk.rowIds.length
    // Behind the last one that was wanted nothing was looked at.
    to = left === 0 ? chunk.rowIds.at(-1)! : chunk.after
    if (chunk.done || left === 0) break
  }
  return { mark, rowIds, to }
}

function isSearchRequired(answer: unknown): answer is SearchRequired {
  return typeof answer === 'object' && answer !== null && 'mark' in answer
}
