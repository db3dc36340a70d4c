import { type CountRequest, DEFERRED, type FindRequest, type ReadRequest } from '../protocol/requests.ts'
import type { TimeBudget } from './read-progress.ts'

/** The one call that reads by chunks need of a storage thread. */
interface ReaderThread {
  call<Result>(request: ReadRequest): Promise<Result>
}

/** Where a read begins, and where one goes on that takes long. Each answers the one with the least to do. */
export interface Readers {
  foreground(): ReaderThread
  background(): ReaderThread
}

/** Begins a read at a foreground reader; what that one defers is begun at a background reader. */
export async function beginRead<Chunk>(
  readers: Readers,
  request:
    | (Omit<FindRequest, 'isForeground'> & { kind: 'find' })
    | (Omit<CountRequest, 'isForeground'> & { kind: 'count' }),
  budget: TimeBudget,
): Promise<Chunk> {
  const chunk = await readers.foreground().call<Chunk | typeof DEFERRED>({ ...request, isForeground: true })
  if (chunk !== DEFERRED) return chunk
  // It may put all documents in order, or gather what an index finds, and wait for its turn before that.
  return budget.watched((cancelled) =>
    readers.background().call<Chunk>({ ...request, isForeground: false, cancelled }),
  )
}
