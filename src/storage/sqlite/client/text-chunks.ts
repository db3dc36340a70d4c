import type { Cursor, FindCommand } from '../../store.ts'
import {
  type FetchedChunk,
  type FirstChunk,
  type LocatedChunk,
  type LocateRequest,
  type ScanChunk,
  type Shape,
  SORT_WINDOW,
} from '../protocol/requests.ts'
import { writeCursor } from '../read/keyset-cursor.ts'
import { beginRead, type Readers } from './begin-read.ts'
import type { ReadWatch, TimeBudget } from './read-progress.ts'
import { requireThere } from './require-there.ts'
import type { ResultMemoryLimit } from './result-memory-limit.ts'

/** Documents whose row ids travel with one request for their text. */
const FETCHED_ROW_IDS = 5000

type PlainFind = Omit<FindCommand, 'isCancelled' | 'onReport' | 'texts' | 'partialAfterMs' | keyof Shape> &
  Shape

/** A read under way. */
export interface ChunkRead {
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

/** Documents as JSON, joined by commas, or lines, each with its end: a chunk each time that one is asked for. */
export async function* textChunks(read: ChunkRead): AsyncGenerator<string> {
  const { readers, command, budget, watch } = read
  let { skip, limit } = command
  let begunIn: number | undefined
  while (limit > 0) {
    const window = { skip, limit, ...(begunIn !== undefined && { begunIn }) }
    const request = { ...command, kind: 'find' as const, ...window, budgetMs: budget.left() }
    const chunk = await beginRead<FirstChunk>(readers, request, budget)
    requireThere(chunk)
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
  const { app, collection, projection, wantsPreviews, lines, wantsEnd } = command
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
      ...(lines && { lines }),
      ...(to !== undefined && { to }),
      skip,
      limit,
      after,
      budgetMs: budget.left(),
    })
    requireThere(chunk)
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
    requireThere(chunk)
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
  const { app, collection, projection, wantsPreviews, lines } = command
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
        ...(lines && { lines }),
        rowIds: rowIds.slice(taken, taken + FETCHED_ROW_IDS),
      })
      requireThere(chunk)
      taken += chunk.taken
      watch.add(undefined, chunk.found)
      if (chunk.found > 0) yield chunk.text
      budget.renew()
    }
  } finally {
    holding.release()
  }
}
