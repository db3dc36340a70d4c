import type { ImportFormat } from '../../../../src/import/import-options.ts'
import type { FileReading } from './import-api.ts'

const BY_NAME: Readonly<Record<string, ImportFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
}

/** How a file is to be read as far as its name says; the server sees the rest. */
export function guessReading(name: string): FileReading {
  const end = name.split('.').at(-1)!.toLowerCase()
  const format = Object.hasOwn(BY_NAME, end) ? BY_NAME[end] : undefined
  return { format, isExtended: false, delimiter: undefined, types: new Map() }
}
