import type { ReadDocument } from '../body/read-document.ts'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { storedDocument, storedValue } from '../json/stored.ts'
import { isJsonNumber, type JsonValue } from '../json/value.ts'
import { createReader } from './create-reader.ts'
import type { CsvColumns } from './csv-columns.ts'
import { guessDelimiter, guessFormat } from './guess-format.ts'
import type { ColumnType, Delimiter, ImportFormat, ImportOptions } from './import-options.ts'
import type { RecordFault } from './record-batches.ts'
import type { RecordPlace, RecordSink } from './record-sink.ts'

/** How a file would be read; what is not said is guessed by how it begins. */
export interface PreviewOptions extends Pick<ImportOptions, 'isExtended' | 'types'> {
  readonly format?: ImportFormat | undefined
  readonly delimiter?: Delimiter | undefined
}

/** Of a file, its beginning. */
const PREVIEW_BYTES = 256 * 1024
const SHOWN_DOCUMENTS = 20
const SHOWN_FAULTS = 100
/** By which types are guessed. */
const SAMPLED_DOCUMENTS = 1000

/**
 * What the beginning of a file holds, as JSON: `{"format","delimiter","columns","documents","errors","isCut"}`. A record that
 * it cuts off is left out.
 * @param beginning at most `PREVIEW_BYTES`
 * @throws AppError what makes a file unreadable
 */
export async function previewImport(
  beginning: Buffer,
  { isExtended, types, ...given }: PreviewOptions,
  limits: Limits,
): Promise<string> {
  const format = given.format ?? guessFormat(beginning)
  const delimiter = given.delimiter ?? (format === 'csv' ? guessDelimiter(beginning) : ',')
  const sample = new Sample()
  const options = { format, isExtended, types, delimiter }
  const onColumns = ({ names }: CsvColumns): void => {
    sample.columns = names
  }
  const reader = createReader({ limits, options, sink: sample, onColumns })
  await reader.push(beginning)
  // The last row may go on behind what is here; JSON tells by itself.
  sample.isLast = format === 'csv' && beginning.length >= PREVIEW_BYTES ? 'cut' : 'open'
  try {
    await reader.end()
  } catch (error) {
    const isWhole = beginning.length < PREVIEW_BYTES
    if (!(error instanceof AppError) || (sample.isEmpty && isWhole)) throw error
    sample.isCut = true
  }
  const columns = describeColumns(sample.documents, sample.columns).map(({ name, guessed }) => ({
    name,
    type: types.get(name) ?? 'auto',
    guessed,
  }))
  const documents = sample.documents.slice(0, SHOWN_DOCUMENTS)
  const { faults: errors, isCut } = sample
  return JSON.stringify({ format, ...(format === 'csv' && { delimiter }), columns, documents, errors, isCut })
}

class Sample implements RecordSink {
  readonly documents: string[] = []
  readonly faults: RecordFault[] = []
  columns: readonly string[] | undefined
  isCut = false
  /** Whether what comes is the last record, and that may be, or is taken for, a part of one. */
  isLast: 'open' | 'cut' | undefined

  get isEmpty(): boolean {
    return this.documents.length === 0 && this.faults.length === 0 && this.columns === undefined
  }

  document(_: RecordPlace, { text }: ReadDocument): void {
    if (this.isLast === 'cut') this.isCut = true
    else if (this.documents.length < SAMPLED_DOCUMENTS) this.documents.push(text)
  }

  fault(line: number, { code, message }: AppError): void {
    if (this.isLast !== undefined) this.isCut = true
    else if (this.faults.length < SHOWN_FAULTS) this.faults.push({ line, code, message })
  }
}

interface Described {
  readonly name: string
  readonly guessed: ColumnType
}

/** @param names of a header; the fields of the documents, where there is none */
function describeColumns(documents: readonly string[], names: readonly string[] | undefined): Described[] {
  const found = new Map<string, ColumnType | undefined>(names?.map((name) => [name, undefined]))
  for (const document of documents)
    for (const [name, value] of storedDocument(document)) {
      const type = typeOf(value, names !== undefined)
      const known = found.get(name)
      found.set(name, known === undefined || known === type ? type : 'auto')
    }
  return [...found].map(([name, guessed = 'auto']) => ({ name, guessed }))
}

/** @param isCell whether a text may be JSON that somebody put into a cell */
function typeOf(value: JsonValue, isCell: boolean): ColumnType {
  if (typeof value === 'boolean') return 'boolean'
  if (isJsonNumber(value)) return 'number'
  if (typeof value === 'string') return isCell && isJsonCell(value) ? 'json' : 'text'
  return 'json'
}

function isJsonCell(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    storedValue(text)
    return true
  } catch {
    return false
  }
}
