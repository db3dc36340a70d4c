import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { csvHeader } from '../json/csv.ts'
import { readFilter, readProjection, readSort } from '../query/read-query.ts'
import type { ExportCommand } from '../storage/export-store.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

/** As many as an import takes, and as long on average as one of its may be. */
const MOST_COLUMNS = 10_000
const COLUMN_UNITS = 1024

export interface ExportDocumentsInput extends CollectionInput {
  /** `ndjson`, `json` or `csv`. */
  readonly format: string
  /** JSON texts of query, sort and projection. */
  readonly q?: string | undefined
  readonly s?: string | undefined
  readonly f?: string | undefined
  /** Of CSV: the fields at the top that have a column, as the JSON text of an array; all that there are without it. */
  readonly columns?: string | undefined
  /** Of CSV: whether texts that a spreadsheet would take for formulas get an apostrophe. */
  readonly isGuarded: boolean
  readonly isCancelled: () => boolean
}

/**
 * Everything that matches, in chunks that are read as they are asked for. They end when all of it was told, and throw where it
 * can't be: `changed_meanwhile`, `deadline_exceeded`.
 * @throws AppError `invalid_parameter`, for the app, the name, the query, the sort and the projection as their readers do, and
 * for the first chunk what the store throws
 */
export async function exportDocuments(
  context: OperationContext,
  principal: Principal,
  input: ExportDocumentsInput,
): Promise<AsyncIterable<string>> {
  const address = authoriseCollection(context, principal, input, 'read')
  const { limits, store } = context
  const command = {
    ...address,
    filter: readFilter(input.q, limits),
    sort: readSort(input.s, limits),
    ...readProjection(input.f, limits),
    isCancelled: input.isCancelled,
  }
  const { format, isGuarded } = input
  const named = columnsFrom(input)
  if (format === 'csv') {
    const columns = named ?? (await fieldsOf(context, command))
    const rows = { kind: 'csv', columns, isWhole: named === undefined, isGuarded } as const
    return begun(
      withHeader(csvHeader(columns, isGuarded), store.exportDocuments({ ...command, format: rows })),
    )
  }
  const lines = store.exportDocuments({ ...command, format: { kind: 'ndjson' } })
  if (format === 'ndjson') return begun(lines)
  if (format === 'json') return begun(arrayOf(lines))
  throw new AppError('invalid_parameter', 'the format must be ndjson, json or csv')
}

/** @throws AppError `invalid_parameter` */
function columnsFrom({ format, columns: text, isGuarded }: ExportDocumentsInput): string[] | undefined {
  if (format !== 'csv' && (text !== undefined || isGuarded))
    throw new AppError('invalid_parameter', 'columns and guard go with format=csv')
  if (text === undefined) return undefined
  const columns = jsonOf(text)
  if (isTexts(columns) && columns.length <= MOST_COLUMNS && new Set(columns).size === columns.length)
    return columns
  throw new AppError(
    'invalid_parameter',
    `columns must be a JSON array of 1 to ${MOST_COLUMNS} names of fields, each of them once: ["_id","name"]`,
  )
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function fieldsOf(
  { store }: OperationContext,
  command: Omit<ExportCommand, 'format'>,
): Promise<string[]> {
  const most = { names: MOST_COLUMNS, units: MOST_COLUMNS * COLUMN_UNITS }
  const fields = await store.listFields({ ...command, most })
  if (fields !== undefined) return fields
  throw new AppError(
    'invalid_parameter',
    `the documents have more than ${MOST_COLUMNS} different fields, or too long names of them; name in columns those you need`,
  )
}

/** Without documents there is nothing, and a header of nothing is none. */
async function* withHeader(header: string, rows: AsyncIterable<string>): AsyncGenerator<string> {
  if (header !== '\r\n') yield header
  yield* rows
}

/** Lines as the elements of one array. */
async function* arrayOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '['
  for await (const chunk of lines) {
    // Compact JSON has no line end inside.
    yield `${before}${chunk.slice(0, -1).replaceAll('\n', ',\n')}`
    before = ',\n'
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** Chunks of which the first is there, so that what can't begin is told before anything else. */
async function begun(chunks: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  return resumed(first, iterator)
}

async function* resumed(
  first: IteratorResult<string>,
  iterator: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
