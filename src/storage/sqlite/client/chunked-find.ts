import type { Limits } from '../../../domain/limits.ts'
import type { MemoryShares } from '../../../domain/memory.ts'
import { AppError } from '../../../errors.ts'
import { MemoryBudget, type SharedMemory } from '../../../shared-memory/memory-budget.ts'
import type { CountCommand, Cursor, FindCommand, FindResult } from '../../store.ts'
import {
  type CountChunk,
  type FetchedChunk,
  type FirstChunk,
  type LocatedChunk,
  type LocateRequest,
  type ScanChunk,
  SORT_WINDOW,
} from '../protocol/requests.ts'
import { writeCursor } from '../read/keyset-cursor.ts'
import { beginRead, type Readers } from './begin-read.ts'
import { ReadWatch, TimeBudget } from './read-progress.ts'
import { ResultMemoryLimit } from './result-memory-limit.ts'

/** Units of JSON text up to which an answer is sent whole rather than in chunks, where there is plenty of memory. */
const WHOLE_ANSWER_LENGTH = 1024 * 1024
/** Documents up to which a read is taken for short, and what the first chunk of any other may take on its way. */
const SHORT_DOCUMENTS = 64
const FIRST_CHUNK_BYTES = 512 * 1024
/** What a unit of text takes, the chunk that it came in included, and bytes up to which that doesn't count. */
const UNIT_BYTES = 2
const UNCOUNTED_BYTES = 32 * 1024
/** Documents whose row ids travel with one request for their text. */
const FETCHED_ROW_IDS = 5000

/** What one read may take. */
export interface ReadAllowance {
  /** Milliseconds without anything to show for them. */
  readonly deadlineMs: number
  readonly held: ResultMemoryLimit
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
    held: new ResultMemoryLimit({ memory }),
    memory,
    wholeLength: access.memoryShares.wholeResponseLength,
  }
}

/**
 * Reads in chunks, so that a long answer holds no thread, no transaction and little memory, however slow its client
 * is. One chunk is from one moment; an answer of several has each document at most once, as it was at some moment
 * of the request.
 * @throws AppError `deadline_exceeded`, `overloaded`
 */
export async function findInChunks(
  readers: Readers,
  command: FindCommand,
  { deadlineMs, held, memory, wholeLength = WHOLE_ANSWER_LENGTH }: ReadAllowance,
): Promise<FindResult> {
  if (command.limit === 0) return { first: '[]' }
  const { isCancelled, onReport, texts: _, partialAfterMs, ...plain } = command
  const read: ChunkRead = {
    readers,
    command: plain,
    partialAfterMs,
    budget: new TimeBudget(deadlineMs, isCancelled),
    watch: new ReadWatch(onReport),
    held,
    wholeLength,
    page: {},
  }
  const chunks = textChunks(read)
  const gathered = memory?.begin()
  // Before a thread is asked, for chunks that wait to be looked at would fill the memory, too.
  const isLong = command.limit > SHORT_DOCUMENTS
  if (isLong && gathered?.take(FIRST_CHUNK_BYTES) === false) throw tooManyAnswers()
  let first = '['
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      first += first.length > 1 ? `,${next.value}` : next.value
      const isCounted = UNIT_BYTES * first.length > (isLong ? FIRST_CHUNK_BYTES : UNCOUNTED_BYTES)
      if (isCounted && gathered?.take(UNIT_BYTES * next.value.length) === false) {
        await chunks.return(undefined)
        throw tooManyAnswers()
      }
      if (first.length > wholeLength) return { first, rest: restOf(chunks), ...read.page }
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

async function* restOf(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield `,${chunk}`
  yield ']'
}

/** @throws AppError `deadline_exceeded` */
export async function countInChunks(
  readers: Readers,
  command: CountCommand,
  { deadlineMs }: ReadAllowance,
): Promise<number> {
  const { isCancelled, onReport, texts: _, ...plain } = command
  const budget = new TimeBudget(deadlineMs, isCancelled)
  const watch = new ReadWatch(onReport)
  let count = 0
  try {
    const request = { kind: 'count' as const, ...plain, budgetMs: budget.left() }
    const first = await beginRead<FirstChunk<CountChunk>>(readers, request, budget)
    const { app, collection } = plain
    const scanning = { app, collection, filter: first.filter!, begunIn: first.collection }
    for (let chunk: CountChunk = first; ; ) {
      count += chunk.count
      watch.add(chunk.plan, chunk.count)
      if (chunk.done) return count
      const { after } = chunk
      const request = { kind: 'resumeCount' as const, ...scanning, after, budgetMs: budget.left() }
      chunk = await readers.background().call<CountChunk>(request)
    }
  } finally {
    watch.report()
  }
}

type PlainFind = Omit<FindCommand, 'isCancelled' | 'onReport' | 'texts' | 'partialAfterMs'>

/** A read under way. */
interface ChunkRead {
  readonly readers: Readers
  readonly command: PlainFind
  readonly partialAfterMs: number | undefined
  readonly budget: TimeBudget
  readonly watch: ReadWatch
  readonly held: ResultMemoryLimit
  readonly wholeLength: number
  /** Told before the chunk is handed over that makes the answer too long to be sent whole. */
  readonly page: { end?: Cursor }
}

async function* textChunks(read: ChunkRead): AsyncGenerator<string> {
  const { readers, command, budget, watch } = read
  let { skip, limit } = command
  let begunIn: number | undefined
  while (limit > 0) {
    const window = { skip, limit, ...(begunIn !== undefined && { begunIn }) }
    const request = { ...command, kind: 'find' as const, ...window, budgetMs: budget.left() }
    const chunk = await beginRead<FirstChunk>(readers, request, budget)
    watch.add(chunk.plan, chunk.found)
    if (!('rowIds' in chunk)) return yield* scannedChunks(read, chunk)
    if (chunk.end !== undefined) read.page.end = chunk.end
    if (chunk.found > 0) {
      yield chunk.text
      budget.renew()
    }
    yield* fetchedChunks(read, chunk.rowIds, chunk.collection)
    if (chunk.isLast) return
    begunIn = chunk.collection
    skip += SORT_WINDOW
    limit -= SORT_WINDOW
  }
}

/** A read in natural order. */
async function* scannedChunks(read: ChunkRead, first: FirstChunk<ScanChunk>): AsyncGenerator<string> {
  const { readers, command, budget, watch, page, partialAfterMs } = read
  const { app, collection, projection, wantsPreviews, wantsEnd } = command
  const begunIn = first.collection
  // Of the last chunk of all there is none, and it isn't asked for.
  const scanning = { app, collection, filter: first.filter!, begunIn }
  let { skip, limit } = command
  let length = 0
  let to: number | undefined
  for (let chunk: ScanChunk = first; ; ) {
    const { text, found, after } = chunk
    skip -= chunk.skipped
    limit -= found
    length += text.length + 1
    const isLong = length > read.wholeLength && to === undefined
    // What was skipped is in no cursor, and has to be skipped first.
    const mayEnd = wantsEnd && !chunk.done && skip === 0 && partialAfterMs !== undefined
    const isCut = mayEnd && (isLong || watch.milliseconds() > partialAfterMs)
    // What is full, or in part, ends where it was read up to.
    if (wantsEnd && (limit === 0 || isCut))
      page.end = writeCursor({ collection: begunIn, rowId: after, keys: [] })
    const isLocated = wantsEnd && isLong && !chunk.done && !isCut
    const rowIds = isLocated ? await locatedRowIds(read, { ...scanning, limit, after }) : undefined
    if (found > 0) {
      yield text
      budget.renew()
    }
    if (rowIds !== undefined && !isEveryDocument(command)) return yield* fetchedChunks(read, rowIds, begunIn)
    if (chunk.done || isCut) return
    // Row ids are never taken again, so that of every document no more can come to lie before the page's end.
    if (rowIds !== undefined) to = rowIds.at(-1) ?? after
    chunk = await readers.background().call<ScanChunk>({
      kind: 'scan',
      ...scanning,
      ...(projection && { projection }),
      ...(wantsPreviews && { wantsPreviews }),
      ...(to !== undefined && { to }),
      skip,
      limit,
      after,
      budgetMs: budget.left(),
    })
    watch.add(chunk.plan, chunk.found)
  }
}

function isEveryDocument({ filter }: PlainFind): boolean {
  return filter.kind === 'and' && filter.filters.length === 0
}

/**
 * The row ids of the rest of a page: an answer begins with its headers, which say where it ends, so that it must not
 * end anywhere else.
 */
async function locatedRowIds(
  { readers, budget, page }: ChunkRead,
  { begunIn, ...scanning }: Omit<LocateRequest, 'budgetMs' | 'begunIn'> & { readonly begunIn: number },
): Promise<Float64Array> {
  const { limit, after: start } = scanning
  const rowIds: number[] = []
  for (let after = start, done = false; !done; ) {
    const request = { ...scanning, begunIn, limit: limit - rowIds.length, after, budgetMs: budget.left() }
    const chunk = await readers.background().call<LocatedChunk>({ kind: 'locate', ...request })
    for (const rowId of chunk.rowIds) rowIds.push(rowId)
    if (chunk.rowIds.length > 0) budget.renew()
    ;({ after, done } = chunk)
  }
  if (rowIds.length === limit)
    page.end = writeCursor({ collection: begunIn, rowId: rowIds.at(-1)!, keys: [] })
  return Float64Array.from(rowIds)
}

async function* fetchedChunks(
  { readers, command, budget, watch, held }: ChunkRead,
  rowIds: Float64Array,
  begunIn: number,
): AsyncGenerator<string> {
  const { app, collection, projection, wantsPreviews } = command
  const holding = held.begin()
  try {
    holding.take(rowIds.length)
    for (let taken = 0; taken < rowIds.length; ) {
      budget.left()
      const chunk = await readers.background().call<FetchedChunk>({
        kind: 'fetch',
        app,
        collection,
        begunIn,
        ...(projection && { projection }),
        ...(wantsPreviews && { wantsPreviews }),
        rowIds: rowIds.slice(taken, taken + FETCHED_ROW_IDS),
      })
      taken += chunk.taken
      watch.add(undefined, chunk.found)
      if (chunk.found > 0) yield chunk.text
      budget.renew()
    }
  } finally {
    holding.release()
  }
}
