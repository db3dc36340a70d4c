import { AppError } from '../src/errors.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import { prepareProjection } from '../src/query/projection.ts'
import { compareDocuments } from '../src/query/sort.ts'
import type { ExportCommand, ExportFormat } from '../src/storage/export-store.ts'

/** What is told of documents that match. */
export function exportedDocuments(
  matching: readonly (readonly [unknown, JsonObject])[],
  { sort, projection }: Pick<ExportCommand, 'sort' | 'projection'>,
): JsonObject[] {
  const found = matching.map(([, document]) => document)
  if (sort.length > 0) found.sort((a, b) => compareDocuments(a, b, sort))
  return projection === undefined ? found : found.map(prepareProjection(projection))
}

/** A line for a document, with its end: the meaning of each format, in the plainest code. */
export function exportedLine(document: JsonObject, format: ExportFormat): string {
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
