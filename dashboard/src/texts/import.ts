import type { OnConflict } from '../../../src/domain/on-conflict.ts'
import type { ColumnType, Delimiter, ImportFormat } from '../../../src/import/import-options.ts'
import type { ImportResult } from '../data/import/import-api.ts'
import { counted } from '../texts.ts'

const FORMATS: Readonly<Record<ImportFormat, string>> = {
  ndjson: 'NDJSON: a document on each line',
  json: 'JSON: an array of documents',
  csv: 'CSV: a document on each line, its fields named by the first',
}

const DELIMITERS: Readonly<Record<Delimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

const TYPES: Readonly<Record<ColumnType, string>> = {
  auto: 'as it looks',
  text: 'text',
  number: 'number',
  boolean: 'true or false',
  json: 'JSON',
}

const CONFLICTS: Readonly<Record<OnConflict, string>> = {
  fail: 'Import nothing, and say so',
  skip: 'Keep the document that is there',
  replace: 'Put the file’s document in its place',
}

/** The words of the page on which documents come from a file. */
export const IMPORT_TEXTS = {
  title: 'Import',
  into: 'Import into',
  onlyEditors: 'You may look at this app. Its owner and editors import documents.',
  explained: 'Nothing is saved before you have seen what the file would become.',
  hint: 'JSON, NDJSON or CSV, of any size.',
  unreadable: 'the file could not be read: it is a folder, or gone',
  reading: {
    title: 'How to read it',
    format: 'Format',
    formats: FORMATS,
    delimiter: 'What stands between fields',
    delimiters: DELIMITERS,
    isExtended: 'MongoDB’s extended JSON, as mongoexport writes it: {"$oid": …} becomes a text',
  },
  columns: {
    title: 'Columns',
    explained:
      'As it looks: a number where all of its digits can be kept, true and false, nothing where the cell is empty, and text else; 007 stays text.',
    columns: { name: 'Field', type: 'Type', values: 'First values' },
    types: TYPES,
    // JSON in a cell is a text, until somebody says otherwise.
    looksLike: (type: ColumnType) => `${TYPES.auto}: ${TYPES[type === 'json' ? 'text' : type]}`,
    typeOf: (name: string) => `Type of ${name}`,
    more: (count: number) => `${counted(count, 'more column')}, each as it looks.`,
  },
  preview: {
    title: 'What it becomes',
    reading: 'Reading the beginning of the file',
    label: 'The first documents, as they would be saved',
    none: 'There is no document in the beginning of this file.',
    first: (count: number) =>
      count === 1
        ? 'The first document, as it would be saved:'
        : `The first ${counted(count, 'document')}, as they would be saved:`,
  },
  choices: {
    title: 'Conflicts and bad lines',
    conflict: 'Where a document of this _id is there already',
    conflicts: CONFLICTS,
    bad: 'Where a line can’t be read',
    skipsBad: 'Leave it out, and import the rest',
  },
  act: 'Import the file',
  check: 'Check the whole file',
  progress: {
    label: 'Sent',
    importing: 'Sent. The server is saving it…',
    checking: 'Sent. The server is reading it…',
    stay: 'Leaving this page stops it.',
  },
  stopped: 'Stopped; nothing was imported.',
  stoppedLate:
    'Stopped, after all of it had been sent. All of it was imported or nothing: see whether it is there.',
  failed: 'Nothing was imported.',
  broken: 'The connection broke. All of it was imported or nothing: see whether it is there.',
  skipsAdvice: 'Check the whole file to have all lines that can’t be read, or leave them out.',
  show: 'Show the documents',
  imported: ({ created, replaced, skipped, bad }: ImportResult) =>
    `Imported: ${[
      `${counted(created, 'new document')}`,
      ...(replaced > 0 ? [`${replaced.toLocaleString()} replaced`] : []),
      ...(skipped > 0 ? [`${skipped.toLocaleString()} kept as they were`] : []),
      ...(bad > 0 ? [`${counted(bad, 'line')} left out`] : []),
    ].join(', ')}.`,
  checked: (bad: number) =>
    bad === 0
      ? 'Every line of the file can be read. Nothing was saved.'
      : `${counted(bad, 'line')} can’t be read. Nothing was saved.`,
  errors: {
    title: 'Lines that can’t be read',
    line: (line: number, message: string) => `Line ${line.toLocaleString()}: ${message}`,
    more: (count: number) => `${counted(count, 'more line')} can’t be read.`,
    save: 'Save them as CSV',
    file: 'errors.csv',
  },
  newCollection: {
    title: 'Import a collection',
    name: 'Name of the collection',
    hint: 'One that is there gets more documents; another one is made.',
    button: 'Choose its file',
  },
} as const
