import type { Limits } from '../../domain/limits.ts'
import type { MemoryShares } from '../../domain/memory.ts'
import { AppError } from '../../errors.ts'
import { MemoryBudget, type SharedMemory } from '../../shared-memory/memory-budget.ts'
import type { CountCommand, Cursor, FindCommand, FindResult } from '../store.ts'
import { HeldPlaces } from './held-places.ts'
import {
  type CountPiece,
  type CountRequest,
  type FetchedPiece,
  type FindRequest,
  type FirstPiece,
  type LocatedPiece,
  PUT_OFF,
  type ReadRequest,
  type ScanPiece,
  SORT_WINDOW,
} from './protocol/requests.ts'
import { writeCursor } from './read/keyset-cursor.ts'
import { ReadWatch, TimeBudget } from './read-progress.ts'

/** Units of JSON text up to which an answer is sent whole rather than in pieces, where there is plenty of memory. */
const WHOLE_ANSWER_LENGTH = 1024 * 1024
/** Documents up to which a read is taken for short, and what the first piece of any other may take on its way. */
const SHORT_DOCUMENTS = 64
const FIRST_PIECE_BYTES = 512 * 1024
/** What a unit of text takes, the piece that it came in included, and bytes up to which that doesn't count. */
const UNIT_BYTES = 2
const UNCOUNTED_BYTES = 32 * 1024
/** Documents whose places travel with one request for their text. */
const FETCH_PLACES = 5000

/** The one call that reads by pieces need of a storage thread. */
interface ReaderThread {
  call<Result>(request: ReadRequest): Promise<Result>
}

/** Where a read begins, and where one goes on that takes long. Each answers the one with the least to do. */
export interface Readers {
  quick(): ReaderThread
  scan(): ReaderThread
}

/** What one read may take. */
export interface ReadAllowance {
  /** Milliseconds without anything to show for them. */
  readonly deadlineMs: number
  readonly held: HeldPlaces
  /** That answers take theirs from while they are put together; without it there is no bound. */
  readonly memory?: MemoryBudget
  /** Units of JSON text up to which an answer is sent whole. */
  readonly wholeLength?: number
}

/** What the reads of one thread may take, by the memory that all threads share. */
export function readAllowance(access: {
  readonly limits: Limits
  readonly memory: SharedMemory
  readonly memoryShares: MemoryShares
}): ReadAllowance {
  const memory = new MemoryBudget(access.memory)
  return {
    deadlineMs: access.limits.queryDeadlineMs,
    held: new HeldPlaces({ memory }),
    memory,
    wholeLength: access.memoryShares.wholeAnswerLength,
  }
}

/**
 * Reads in pieces, so that a long answer holds no thread, no transaction and little memory, however slow its client
 * is. One piece is from one moment; an answer of several has each document at most once, as it was at some moment
 * of the request.
 * @throws AppError `deadline_exceeded`, `overloaded`
 */
export async function findByPieces(
  readers: Readers,
  command: FindCommand,
  { deadlineMs, held, memory, wholeLength = WHOLE_ANSWER_LENGTH }: ReadAllowance,
): Promise<FindResult> {
  if (command.limit === 0) return { first: '[]' }
  const { isCancelled, onReport, texts: _, ...plain } = command
  const read: PieceRead = {
    readers,
    command: plain,
    budget: new TimeBudget(deadlineMs, isCancelled),
    watch: new ReadWatch(onReport),
    held,
    wholeLength,
    page: {},
  }
  const pieces = piecesOf(read)
  const gathered = memory?.begin()
  // Before a thread is asked, for pieces that wait to be looked at would fill the memory, too.
  const isLong = command.limit > SHORT_DOCUMENTS
  if (isLong && gathered?.take(FIRST_PIECE_BYTES) === false) throw tooManyAnswers()
  let first = '['
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      first += first.length > 1 ? `,${next.value}` : next.value
      const isCounted = UNIT_BYTES * first.length > (isLong ? FIRST_PIECE_BYTES : UNCOUNTED_BYTES)
      if (isCounted && gathered?.take(UNIT_BYTES * next.value.length) === false) {
        await pieces.return(undefined)
        throw tooManyAnswers()
      }
      if (first.length > wholeLength) return { first, rest: restOf(pieces), ...read.page }
    }
  } finally {
    // From here on it is whoever sends it that counts it.
    gathered?.release()
    read.watch.report()
  }
  return { first: `${first}]`, ...read.page }
}

function tooManyAnswers(): AppError {
  return new AppError(
    'overloaded',
    'too many long answers are on their way; try again in a moment, or ask for fewer documents',
  )
}

async function* restOf(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield `,${piece}`
  yield ']'
}

/** @throws AppError `deadline_exceeded` */
export async function countByPieces(
  readers: Readers,
  command: CountCommand,
  { deadlineMs }: ReadAllowance,
): Promise<number> {
  const { isCancelled, onReport, texts: _, ...plain } = command
  const budget = new TimeBudget(deadlineMs, isCancelled)
  const watch = new ReadWatch(onReport)
  let count = 0
  try {
    const request = { kind: 'count' as const, ...plain }
    const first = await begin<FirstPiece<CountPiece>>(readers, {
      ...request,
      after: 0,
      budgetMs: budget.left(),
    })
    for (let piece: CountPiece = first; ; ) {
      count += piece.count
      watch.add(piece.plan, piece.count)
      if (piece.done) return count
      const { after } = piece
      const going = { ...request, after, budgetMs: budget.left(), isQuick: false }
      piece = await readers.scan().call<CountPiece>({ ...going, begunIn: first.collection })
    }
  } finally {
    watch.report()
  }
}

/** Begins a read at a quick reader; what that one puts off is begun at a scan reader. */
async function begin<Piece>(
  readers: Readers,
  request:
    | (Omit<FindRequest, 'isQuick'> & { kind: 'find' })
    | (Omit<CountRequest, 'isQuick'> & { kind: 'count' }),
): Promise<Piece> {
  const piece = await readers.quick().call<Piece | typeof PUT_OFF>({ ...request, isQuick: true })
  return piece === PUT_OFF ? readers.scan().call<Piece>({ ...request, isQuick: false }) : piece
}

type PlainFind = Omit<FindCommand, 'isCancelled' | 'onReport' | 'texts'>

/** A read under way. */
interface PieceRead {
  readonly readers: Readers
  readonly command: PlainFind
  readonly budget: TimeBudget
  readonly watch: ReadWatch
  readonly held: HeldPlaces
  readonly wholeLength: number
  /** Told before the piece is handed over that makes the answer too long to be sent whole. */
  readonly page: { end?: Cursor }
}

async function* piecesOf(read: PieceRead): AsyncGenerator<string> {
  const { readers, command, budget, watch } = read
  let { skip, limit } = command
  let begunIn: number | undefined
  while (limit > 0) {
    const window = { skip, limit, ...(begunIn !== undefined && { begunIn }) }
    const request = { ...command, kind: 'find' as const, ...window, budgetMs: budget.left() }
    const piece = await begin<FirstPiece>(readers, request)
    watch.add(piece.plan, piece.found)
    if (!('places' in piece)) return yield* scannedPieces(read, piece)
    if (piece.end !== undefined) read.page.end = piece.end
    if (piece.found > 0) {
      yield piece.text
      budget.renew()
    }
    yield* fetchedPieces(read, piece.places, piece.collection)
    if (piece.isLast) return
    begunIn = piece.collection
    skip += SORT_WINDOW
    limit -= SORT_WINDOW
  }
}

/** A read in natural order. */
async function* scannedPieces(read: PieceRead, first: FirstPiece<ScanPiece>): AsyncGenerator<string> {
  const { readers, command, budget, watch, page } = read
  const { sort: _, after: __, wantsEnd, ...rest } = command
  const begunIn = first.collection
  let { skip, limit } = command
  let length = 0
  let to: number | undefined
  for (let piece: ScanPiece = first; ; ) {
    const { text, found, after } = piece
    skip -= piece.skipped
    limit -= found
    length += text.length + 1
    // What is full ends where it was read up to.
    if (wantsEnd && limit === 0) page.end = writeCursor({ collection: begunIn, place: after, keys: [] })
    const isLong = length > read.wholeLength && to === undefined
    const places =
      wantsEnd && isLong && !piece.done ? await locatedPlaces(read, { limit, after, begunIn }) : undefined
    if (found > 0) {
      yield text
      budget.renew()
    }
    if (places !== undefined && !isEveryDocument(command)) return yield* fetchedPieces(read, places, begunIn)
    if (piece.done) return
    // Places are never taken again, so that of every document no more can come to lie before the page's end.
    if (places !== undefined) to = places.at(-1) ?? after
    const request = { ...rest, ...(to !== undefined && { to }), skip, limit, after, begunIn }
    const going = { kind: 'scan' as const, ...request, budgetMs: budget.left(), isQuick: false }
    piece = await readers.scan().call<ScanPiece>(going)
    watch.add(piece.plan, piece.found)
  }
}

function isEveryDocument({ filter }: PlainFind): boolean {
  return filter.kind === 'and' && filter.filters.length === 0
}

/**
 * The places of the rest of a page: an answer begins with its headers, which say where it ends, so that it must not
 * end anywhere else.
 */
async function locatedPlaces(
  { readers, command, budget, page }: PieceRead,
  { limit, after: start, begunIn }: { limit: number; after: number; begunIn: number },
): Promise<Float64Array> {
  const { app, collection, filter } = command
  const places: number[] = []
  for (let after = start, done = false; !done; ) {
    const request = { app, collection, begunIn, filter, limit: limit - places.length, after }
    const locating = { kind: 'locate' as const, ...request, budgetMs: budget.left() }
    const piece = await readers.scan().call<LocatedPiece>(locating)
    for (const place of piece.places) places.push(place)
    if (piece.places.length > 0) budget.renew()
    ;({ after, done } = piece)
  }
  if (places.length === limit)
    page.end = writeCursor({ collection: begunIn, place: places.at(-1)!, keys: [] })
  return Float64Array.from(places)
}

async function* fetchedPieces(
  { readers, command, budget, watch, held }: PieceRead,
  places: Float64Array,
  begunIn: number,
): AsyncGenerator<string> {
  const { app, collection, projection } = command
  const holding = held.begin()
  try {
    holding.take(places.length)
    for (let taken = 0; taken < places.length; ) {
      budget.left()
      const piece = await readers.scan().call<FetchedPiece>({
        kind: 'fetch',
        app,
        collection,
        begunIn,
        ...(projection && { projection }),
        places: places.slice(taken, taken + FETCH_PLACES),
      })
      taken += piece.taken
      watch.add(undefined, piece.found)
      if (piece.found > 0) yield piece.text
      budget.renew()
    }
  } finally {
    holding.release()
  }
}
