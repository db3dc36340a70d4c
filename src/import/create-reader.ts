import type { Limits } from '../domain/limits.ts'
import { CsvReader, type OnColumns } from './csv-reader.ts'
import { GuessingReader } from './guessing-reader.ts'
import type { Delimiter, ImportOptions } from './import-options.ts'
import { JsonReader } from './json-reader.ts'
import { NdjsonReader } from './ndjson-reader.ts'
import { emptyFile, type RecordReader, type RecordSink } from './record-sink.ts'
import { FOREIGN_HEAD_BYTES, refuseForeignFile } from './refuse-foreign-file.ts'

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

export interface ReaderParts {
  readonly limits: Limits
  readonly options: ImportOptions
  readonly sink: RecordSink
  /** Told of the columns of CSV. */
  readonly onColumns?: OnColumns
}

/** Reads a file in its format. A byte order mark before it is passed over. */
export function createReader(parts: ReaderParts): RecordReader {
  return new WithoutMark(readerOf(parts))
}

function readerOf({ limits, options, sink, onColumns }: ReaderParts): RecordReader {
  const { format, isExtended, types, delimiter } = options
  const csvReader = (by: Delimiter): RecordReader =>
    new CsvReader(limits, { types, delimiter: by }, sink, onColumns)
  switch (format) {
    case 'ndjson':
      return new NdjsonReader({ limits, isExtended }, sink)
    case 'json':
      return new JsonReader({ limits, isExtended }, sink)
    case 'csv':
      return delimiter === undefined ? new GuessingReader(csvReader) : csvReader(delimiter)
    default:
      return format satisfies never
  }
}

/** Takes a byte order mark off the beginning of a file, and refuses one that is none of text, or has nothing in it. */
class WithoutMark implements RecordReader {
  private readonly reader: RecordReader
  /** The first bytes, as long as there are too few to tell. */
  private head: Buffer | undefined = Buffer.alloc(0)

  constructor(reader: RecordReader) {
    this.reader = reader
  }

  async push(piece: Buffer): Promise<void> {
    if (this.head === undefined) return this.reader.push(piece)
    this.head = Buffer.concat([this.head, piece])
    if (this.head.length >= FOREIGN_HEAD_BYTES) await this.begin(this.head)
  }

  async end(): Promise<void> {
    if (this.head?.length === 0) throw emptyFile()
    if (this.head !== undefined) await this.begin(this.head)
    await this.reader.end()
  }

  private async begin(head: Buffer): Promise<void> {
    this.head = undefined
    refuseForeignFile(head)
    await this.reader.push(head.subarray(0, MARK.length).equals(MARK) ? head.subarray(MARK.length) : head)
  }
}
