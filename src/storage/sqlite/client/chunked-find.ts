import type { Limits } from '../../../domain/limits.ts'
import type { MemoryShares } from '../../../domain/memory.ts'
import { AppError } from '../../../errors.ts'
import { MemoryBudget, type SharedMemory } from '../../../shared-memory/memory-budget.ts'
import type { CountCommand, FindCommand, FindResult } from '../../store.ts'
import type { CountChunk, FirstChunk } from '../protocol/requests.ts'
import { beginRead, type Readers } from './begin-read.ts'
import { ReadWatch, TimeBudget } from './read-progress.ts'
import { requireThere } from './require-there.ts'
import { ResultMemoryLimit } from './result-memory-limit.ts'
import { type ChunkRead, textChunks } from './text-chunks.ts'

/** Units of JSON text up to which an answer is sent whole rather than in chunks, where there is plenty of memory. */
const WHOLE_ANSWER_LENGTH = 1024 * 1024
/** Documents up to which a read is taken for short, and what the first chunk of any other may take on its way. */
const SHORT_DOCUMENTS = 64
const FIRST_CHUNK_BYTES = 512 * 1024
/** What a unit of text takes, the chunk that it came in included, and bytes up to which that doesn't count. */
const UNIT_BYTES = 2
const UNCOUNTED_BYTES = 32 * 1024

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
 * @throws AppError `deadline_exceeded`, `overloaded`, `changed_meanwhile`
 */
export async function findInChunks(
  readers: Readers,
  command: FindCommand,
  { deadlineMs, held, memory, wholeLength = WHOLE_ANSWER_LENGTH }: ReadAllowance,
): Promise<FindResult> {
  if (command.limit === 0) return { first: '[]', documents: () => 0 }
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
  const documents = (): number => read.watch.documents
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
      if (first.length > wholeLength) return { first, rest: restOf(chunks), documents, ...read.page }
    }
  } finally {
    // From here on it is whoever sends it that counts it.
    gathered?.release()
    read.watch.report()
  }
  return { first: `${first}]`, documents, ...read.page }
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

/** @throws AppError `deadline_exceeded`, `changed_meanwhile` */
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
      requireThere(chunk)
    }
  } finally {
    watch.report()
  }
}
