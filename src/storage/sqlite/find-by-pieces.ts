import { AppError } from '../../errors.ts'
import type { CountCommand, FindCommand, FindResult } from '../store.ts'
import {
  type CountPiece,
  type FetchedPiece,
  type ReadRequest,
  type ScanPiece,
  SORT_WINDOW,
} from './requests.ts'

/** Units of JSON text up to which an answer is sent whole rather than in pieces. */
const WHOLE_ANSWER_LENGTH = 1024 * 1024
/** Documents whose places travel with one request for their text. */
const FETCH_PLACES = 5000

/** The one call that reads by pieces need of a storage thread. */
interface ReaderThread {
  call<Result>(request: ReadRequest): Promise<Result>
}

/**
 * Reads in pieces, so that a long answer holds no thread, no transaction and little memory, however slow its client
 * is. One piece is from one moment; an answer of several has each document at most once, as it was at some moment
 * of the request.
 * @throws AppError `deadline_exceeded`
 */
export async function findByPieces(
  thread: ReaderThread,
  command: FindCommand,
  deadlineMs: number,
): Promise<FindResult> {
  if (command.limit === 0) return { first: '[]' }
  const { isCancelled: _, asked: __, ...plain } = command
  const budget = new Budget(deadlineMs, command.isCancelled)
  const pieces =
    command.sort.length === 0 ? scanPieces(thread, plain, budget) : sortedPieces(thread, plain, budget)
  let first = '['
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    first += first.length > 1 ? `,${next.value}` : next.value
    if (first.length > WHOLE_ANSWER_LENGTH) return { first, rest: restOf(pieces) }
  }
  return { first: `${first}]` }
}

async function* restOf(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield `,${piece}`
  yield ']'
}

/** @throws AppError `deadline_exceeded` */
export async function countByPieces(
  thread: ReaderThread,
  command: CountCommand,
  deadlineMs: number,
): Promise<number> {
  const { isCancelled, asked: _, ...plain } = command
  const budget = new Budget(deadlineMs, isCancelled)
  let count = 0
  for (let after = 0; ; ) {
    const piece = await thread.call<CountPiece>({ kind: 'count', ...plain, after, budgetMs: budget.left() })
    count += piece.count
    if (piece.done) return count
    after = piece.after
  }
}

type PlainFind = Omit<FindCommand, 'isCancelled' | 'asked'>

async function* scanPieces(thread: ReaderThread, command: PlainFind, budget: Budget): AsyncGenerator<string> {
  const { sort: _, ...rest } = command
  let { skip, limit } = command
  for (let after = 0; ; ) {
    const request = { ...rest, kind: 'scan' as const, skip, limit, after, budgetMs: budget.left() }
    const piece = await thread.call<ScanPiece>(request)
    if (piece.found > 0) {
      yield piece.text
      budget.renew()
    }
    if (piece.done) return
    skip -= piece.skipped
    limit -= piece.found
    after = piece.after
  }
}

async function* sortedPieces(
  thread: ReaderThread,
  command: PlainFind,
  budget: Budget,
): AsyncGenerator<string> {
  const { app, collection, projection } = command
  let { skip, limit } = command
  while (limit > 0) {
    const { projection: _, ...plain } = command
    const places = await thread.call<Float64Array>({
      ...plain,
      kind: 'sort',
      skip,
      limit,
      budgetMs: budget.left(),
    })
    for (let taken = 0; taken < places.length; ) {
      const some = places.slice(taken, taken + FETCH_PLACES)
      const piece = await thread.call<FetchedPiece>({
        kind: 'fetch',
        app,
        collection,
        ...(projection && { projection }),
        places: some,
      })
      taken += piece.taken
      if (piece.found > 0) yield piece.text
      budget.renew()
    }
    if (places.length < SORT_WINDOW) return
    skip += places.length
    limit -= places.length
  }
}

/** The time that a read may still take without anything to show for it. */
class Budget {
  private readonly deadlineMs: number
  private readonly isCancelled: (() => boolean) | undefined
  private since = performance.now()

  constructor(deadlineMs: number, isCancelled: (() => boolean) | undefined) {
    this.deadlineMs = deadlineMs
    this.isCancelled = isCancelled
  }

  /** Documents were found and sent, so the time begins anew: a large export to a slow client is no endless search. */
  renew(): void {
    this.since = performance.now()
  }

  /** Milliseconds. @throws AppError `deadline_exceeded`, also where nobody waits for the answer any more */
  left(): number {
    const left = this.since + this.deadlineMs - performance.now()
    if (left > 0 && this.isCancelled?.() !== true) return left
    throw new AppError(
      'deadline_exceeded',
      'the query took too long; narrow it, or page through it with sk and l',
    )
  }
}
