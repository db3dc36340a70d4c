import type { ExportCommand } from '../../export-store.ts'
import type { Shape } from '../protocol/requests.ts'
import type { Readers } from './begin-read.ts'
import type { ReadAllowance } from './chunked-find.ts'
import { ReadWatch, TimeBudget } from './read-progress.ts'
import { type ChunkRead, textChunks } from './text-chunks.ts'

/** More than a file of SQLite can hold. */
const MOST_DOCUMENTS = 2 ** 48

/**
 * Reads everything that matches as lines, in chunks of whole ones.
 * @throws AppError `deadline_exceeded`, `overloaded`, `changed_meanwhile`
 */
export async function* readLines(
  readers: Readers,
  { isCancelled, lines, ...command }: Omit<ExportCommand, 'format'> & Required<Pick<Shape, 'lines'>>,
  { deadlineMs, held }: ReadAllowance,
): AsyncGenerator<string> {
  const read: ChunkRead = {
    readers,
    command: { ...command, lines, skip: 0, limit: MOST_DOCUMENTS },
    partialAfterMs: undefined,
    budget: new TimeBudget(deadlineMs, isCancelled),
    watch: new ReadWatch(undefined),
    held,
    wholeLength: Number.POSITIVE_INFINITY,
    page: {},
  }
  yield* textChunks(read)
}
