import { AppError } from '../../../errors.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import type {
  DeleteManyRequest,
  FindPlacesRequest,
  FoundRowIds,
  LocatedChunk,
  SearchRequired,
  UpdateManyRequest,
} from '../protocol/requests.ts'
import type { ResultMemoryLimit, ResultMemoryUse } from './result-memory-limit.ts'

/** How often readers look again where so much was written meanwhile that what they found is of no use. */
const REPEATED_SEARCHES = 2
/** Row ids that travel to the writer, 8 bytes each. Where more match, it is the writing that takes long. */
const FOUND_PLACES = 1_000_000

type WriteByQuery = UpdateManyRequest | DeleteManyRequest

/** The calls that this needs of the storage threads. */
export interface SearchThreads {
  readonly writer: { call<Result>(request: WriteByQuery, since: number): Promise<Result> }
  readonly reader: {
    call<Result>(request: { readonly kind: 'findRowIds' } & FindPlacesRequest): Promise<Result>
  }
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
  const find = (after: number, limit: number): Promise<LocatedChunk> => {
    checkTime()
    return reader.call({ kind: 'findRowIds', app, collection, filter, limit, after, until })
  }
  const wanted = request.kind === 'updateMany' && !request.multi ? 1 : FOUND_PLACES
  let answer = await writer.call<Result | SearchRequired>(request, since)
  const holding = held.begin()
  try {
    for (let searches = 0; isSearchRequired(answer); searches++) {
      holding.release()
      const found = await foundRowIds(find, wanted, { ...answer, holding })
      checkTime()
      answer = await writer.call({ ...request, found, isFinal: searches === REPEATED_SEARCHES }, since)
    }
    return answer
  } finally {
    holding.release()
  }
}

async function foundRowIds(
  find: (after: number, limit: number) => Promise<LocatedChunk>,
  wanted: number,
  { mark, holding }: SearchRequired & { readonly holding: ResultMemoryUse },
): Promise<FoundRowIds> {
  const rowIds: Float64Array[] = []
  let left = wanted
  let to = 0
  for (let done = false; !done && left > 0; ) {
    const chunk = await find(to, left)
    holding.take(chunk.rowIds.length)
    if (chunk.rowIds.length > 0) rowIds.push(chunk.rowIds)
    left -= chunk.rowIds.length
    // Behind the last one that was wanted nothing was looked at.
    to = left === 0 ? chunk.rowIds.at(-1)! : chunk.after
    done = chunk.done
  }
  return { mark, rowIds, to }
}

function isSearchRequired(answer: unknown): answer is SearchRequired {
  return typeof answer === 'object' && answer !== null && 'mark' in answer
}
