import { AppError } from '../../errors.ts'
import type { CountCommand, Cursor, FindCommand, FindResult, ReadPlan, ReadReport } from '../store.ts'
import type { HeldPlaces } from './held-places.ts'
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

/** Units of JSON text up to which an answer is sent whole rather than in pieces. */
const WHOLE_ANSWER_LENGTH = 1024 * 1024
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
  { deadlineMs, held }: ReadAllowance,
): Promise<FindResult> {
  if (command.limit === 0) return { first: '[]' }
  const { isCancelled, onReport, texts: _, ...plain } = command
  const read: PieceRead = {
    readers,
    command: plain,
    budget: new Budget(deadlineMs, isCancelled),
    watch: new ReadWatch(onReport),
    held,
    page: {},
  }
  const pieces = piecesOf(read)
  let first = '['
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      first += first.length > 1 ? `,${next.value}` : next.value
      if (first.length > WHOLE_ANSWER_LENGTH) return { first, rest: restOf(pieces), ...read.page }
    }
  } finally {
    read.watch.report()
  }
  return { first: `${first}]`, ...read.page }
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
  const budget = new Budget(deadlineMs, isCancelled)
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
  readonly budget: Budget
  readonly watch: ReadWatch
  readonly held: HeldPlaces
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
    const isLong = length > WHOLE_ANSWER_LENGTH && to === undefined
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

/** Adds up what a read cost. */
class ReadWatch {
  private readonly onReport: ((report: ReadReport) => void) | undefined
  private readonly since = performance.now()
  private plan: ReadPlan | undefined
  private examined = 0
  private returned = 0

  constructor(onReport: ((report: ReadReport) => void) | undefined) {
    this.onReport = onReport
  }

  add(plan: ReadPlan | undefined, returned: number): void {
    this.plan ??= plan
    this.examined += plan?.examined ?? 0
    this.returned += returned
  }

  /** Also of a read that was given up: what it has cost by then is no less. Nothing is known before its first piece. */
  report(): void {
    if (this.plan === undefined) return
    const plan = { ...this.plan, examined: this.examined }
    this.onReport?.({ plan, returned: this.returned, milliseconds: performance.now() - this.since })
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
