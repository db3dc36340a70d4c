import { AppError } from '../src/errors.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import type { ExportFormat } from '../src/storage/store.ts'

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
