import { parseJson } from '../json/exact.ts'
import { DELIMITERS, type Delimiter, type ImportFormat } from './import-options.ts'

const UNLIMITED = { nestingLevels: Number.POSITIVE_INFINITY }

/** What a file is written in, by how it begins. */
export function guessFormat(beginning: Buffer): ImportFormat {
  const text = beginning.toString().replace(/^\ufeff?\s+|^\ufeff/, '')
  if (text.startsWith('[')) return 'json'
  if (!text.startsWith('{')) return 'csv'
  return isJson(firstLine(text)) ? 'ndjson' : 'json'
}

/** What stands between the cells of CSV: what its first line has most of, outside of quotes. */
export function guessDelimiter(beginning: Buffer): Delimiter {
  const header = firstLine(beginning.toString()).replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

function firstLine(text: string): string {
  return text.split(/\r\n|\n|\r/, 1)[0]!
}

function isJson(text: string): boolean {
  try {
    parseJson(text, UNLIMITED)
    return true
  } catch {
    return false
  }
}
