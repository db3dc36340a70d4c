import { parseJson } from '../json/exact.ts'
import { DELIMITERS, type Delimiter, type ImportFormat } from './import-options.ts'

/** Of a header, as much as is looked at. */
const HEADER_BYTES = 16 * 1024
const UNLIMITED = { nestingLevels: Number.POSITIVE_INFINITY }

/** What a file is written in, by how it begins. */
export function guessFormat(beginning: Buffer): ImportFormat {
  const text = beginning.toString().replace(/^\ufeff?\s+|^\ufeff/, '')
  if (text.startsWith('[')) return 'json'
  if (!text.startsWith('{')) return 'csv'
  return isJson(firstLine(text)) ? 'ndjson' : 'json'
}

/** What stands between the cells of CSV: what its header has most of, outside of quotes. */
export function guessDelimiter(beginning: Buffer): Delimiter {
  const header = firstLine(headerAndOn(beginning))
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/** Whether what comes behind this beginning changes nothing in what is guessed by it. */
export function hasHeader(beginning: Buffer): boolean {
  return beginning.length >= HEADER_BYTES || /[\r\n]/.test(headerAndOn(beginning))
}

/** From the first line that is not blank on, with a letter for each text in quotes, also one that is not closed here. */
function headerAndOn(beginning: Buffer): string {
  const text = beginning.toString('utf8', 0, HEADER_BYTES)
  return text.replaceAll(/"[^"]*(?:"|$)/g, 'x').replace(/^\ufeff?[\r\n]*/, '')
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
