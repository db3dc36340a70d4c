import { AppError } from '../src/errors.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import { prepareProjection } from '../src/query/projection.ts'
import { compareDocuments } from '../src/query/sort.ts'
import type { ExportCommand, ExportFormat, ListFieldsCommand } from '../src/storage/export-store.ts'

type Matching = readonly (readonly [unknown, JsonObject])[]

/** @param isThere whether the collection is the same one as in the beginning */
export async function* exportedLines(
  matching: Matching,
  command: ExportCommand,
  isThere: () => boolean,
): AsyncGenerator<string> {
  for (const document of exported(matching, command)) {
    if (command.isCancelled?.()) throw new AppError('deadline_exceeded', 'nobody waits for it any more')
    if (!isThere()) throw new AppError('changed_meanwhile', 'it was dropped')
    yield lineOf(document, command.format)
  }
}

export function fieldsOf(matching: Matching, command: ListFieldsCommand): string[] | undefined {
  const fields = [...new Set(exported(matching, command).flatMap((document) => [...document.keys()]))]
  const { names, units } = command.most
  return fields.length > names || fields.join('').length > units ? undefined : fields
}

function exported(
  matching: Matching,
  { sort, projection }: Pick<ExportCommand, 'sort' | 'projection'>,
): JsonObject[] {
  const found = matching.map(([, document]) => document)
  if (sort.length > 0) found.sort((a, b) => compareDocuments(a, b, sort))
  return projection === undefined ? found : found.map(prepareProjection(projection))
}

/** A line for a document, with its end: the meaning of each format, in the plainest code. */
function lineOf(document: JsonObject, format: ExportFormat): string {
  if (format.kind === 'ndjson') return `${stringify(document)}\n`
  const { columns, isWhole, isGuarded } = format
  if (isWhole && [...document.keys()].some((field) => !columns.includes(field)))
    throw new AppError('changed_meanwhile', 'there is no column for a field')
  return `${columns.map((column) => cell(document.get(column), isGuarded)).join(',')}\r\n`
}

function cell(value: JsonValue | undefined, isGuarded: boolean): string {
  if (value === undefined || value === null) return ''
  if (value === '') return '""'
  const text = typeof value === 'string' ? value : stringify(value)
  const isFormula = typeof value === 'string' && ['=', '+', '-', '@', '\t', '\r'].includes(text[0]!)
  const shown = isGuarded && isFormula ? `'${text}` : text
  return ['"', ',', '\r', '\n'].some((special) => shown.includes(special))
    ? `"${shown.split('"').join('""')}"`
    : shown
}
