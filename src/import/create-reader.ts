import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { CsvReader, type OnColumns } from './csv-reader.ts'
import type { ImportOptions } from './import-options.ts'
import { JsonReader } from './json-reader.ts'
import { NdjsonReader } from './ndjson-reader.ts'
import { emptyFile, type RecordReader, type RecordSink } from './record-sink.ts'

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
  const { format, isExtended } = options
  switch (format) {
    case 'ndjson':
      return new NdjsonReader({ limits, isExtended }, sink)
    case 'json':
      return new JsonReader({ limits, isExtended }, sink)
    case 'csv':
      return new CsvReader(limits, options, sink, onColumns)
    default:
      return format satisfies never
  }
}

/** Takes a byte order mark off the beginning of a file, and refuses one that is in UTF-16, or has nothing in it. */
class WithoutMark implements RecordReader {
  private readonly reader: RecordReader
  /** The first bytes, as long as there are fewer than a mark has. */
  private head: Buffer | undefined = Buffer.alloc(0)

  constructor(reader: RecordReader) {
    this.reader = reader
  }

  async push(piece: Buffer): Promise<void> {
    if (this.head === undefined) return this.reader.push(piece)
    const head = Buffer.concat([this.head, piece])
    refuseUtf16(head)
    this.head = head.length < MARK.length ? head : undefined
    if (this.head !== undefined) return
    await this.reader.push(head.subarray(0, MARK.length).equals(MARK) ? head.subarray(MARK.length) : head)
  }

  async end(): Promise<void> {
    if (this.head?.length === 0) throw emptyFile()
    if (this.head !== undefined) await this.reader.push(this.head)
    await this.reader.end()
  }
}

function refuseUtf16(head: Buffer): void {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (isUtf16)
    throw new AppError(
      'invalid_unicode',
      'the file is UTF-16; save it as UTF-8, or convert it, as with iconv',
    )
}
