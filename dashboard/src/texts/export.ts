import type { ExportFormat } from '../data/export/export-address.ts'
import { counted } from '../texts.ts'

const FORMATS: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'NDJSON: each document exactly as it is stored, on a line',
  json: 'JSON: the same in one array',
  csv: 'CSV: for spreadsheets; what is nested stands there as JSON',
}

/** The words of what takes documents out as files. */
export const EXPORT_TEXTS = {
  button: 'Export…',
  title: 'Export documents',
  explained: 'The server sends them as a file, all of them, however many there are.',
  which: 'Which documents',
  view: (count: number | undefined) =>
    count === undefined
      ? 'those of this view, in its order and with its fields'
      : `the ${counted(count, 'document')} of this view, in its order and with its fields`,
  whole: 'the whole collection, in the order in which it was first saved',
  format: 'Format',
  formats: FORMATS,
  columns: 'Columns',
  shown: (count: number) => `the ${counted(count, 'column')} shown`,
  allFields: 'every field that a document has',
  guard: 'Guard against formulas',
  guardExplained:
    'Spreadsheets run a text that begins with =, +, -, @, a tab or a line’s end as a formula. Guarded, such a text has a ’ before it in the file, and is no longer exactly what is stored.',
  act: 'Export',
  counted: (count: number) => `Export ${counted(count, 'document')}`,
  begun:
    'The browser saves it as it comes: its downloads say how far it is. Should the connection break, the download fails there.',
} as const
