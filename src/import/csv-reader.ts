import { isUtf8 } from 'node:buffer'
import { Parser } from 'csv-parse'
import type { ReadDocument } from '../body/read-document.ts'
import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { CsvColumns } from './csv-columns.ts'
import type { Delimiter, ImportOptions } from './import-options.ts'
import { LineNumbers } from './line-numbers.ts'
import { atLine, type RecordReader, type RecordSink } from './record-sink.ts'

/** A row may be so many times as long as a document, so that an open quote doesn't have the rest of the file kept. */
const ROW_DOCUMENTS = 16
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

interface CsvOptions extends Pick<ImportOptions, 'types'> {
  readonly delimiter: Delimiter
}

/** What is told of the columns of a file, as soon as its header is there. */
export type OnColumns = (columns: CsvColumns) => void

/**
 * Rows of CSV (RFC 4180) under a header. Lines end with CRLF, LF or CR, all of which one file may have; a line end in quotes
 * belongs to its cell. Blank lines are passed over.
 */
export class CsvReader implements RecordReader {
  private readonly limits: Limits
  private readonly options: CsvOptions
  private readonly sink: RecordSink
  private readonly parser: Parser
  private readonly lines = new LineNumbers()
  private readonly onColumns: OnColumns | undefined
  private columns: CsvColumns | undefined
  /** A character that has not come in whole. */
  private tail: Buffer = Buffer.alloc(0)
  private bytes = 0
  /** Where the newest cell that is whole ends, and on which line. */
  private cell = { end: 0, line: 1 }
  /** That of the row that was skipped last. */
  private skippedLine = 0

  constructor(limits: Limits, options: CsvOptions, sink: RecordSink, onColumns?: OnColumns) {
    this.limits = limits
    this.options = options
    this.sink = sink
    this.onColumns = onColumns
    this.parser = new Parser({
      delimiter: options.delimiter,
      // Without it the first line decides, and the others are taken for parts of it.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_records_with_error: true,
      max_record_size: ROW_DOCUMENTS * limits.documentBytes,
      on_record: (cells: readonly string[]) => this.read(cells),
      on_skip: (error) => this.skip(error),
    })
    // Each write tells of it, too.
    this.parser.on('error', () => {})
    this.parser.resume()
  }

  async push(piece: Buffer): Promise<void> {
    const joined = this.tail.length === 0 ? piece : Buffer.concat([this.tail, piece])
    const whole = joined.subarray(0, joined.length - cutCharacter(joined))
    this.tail = joined.subarray(whole.length)
    if (whole.length === 0) return
    this.lines.add(whole)
    if (!isUtf8(whole)) throw atLine(this.lines.at(this.bytes + beforeBadLine(whole)), notUtf8())
    this.bytes += whole.length
    await new Promise<void>((resolve, reject) => {
      this.parser.write(whole, (error) => (error ? reject(error) : resolve()))
    })
    const { bytes: end } = this.parser.info
    if (end !== this.cell.end) this.cell = { end, line: this.lines.at(end) }
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.parser.once('error', reject)
      this.parser.end(resolve)
    })
    if (this.tail.length > 0) throw atLine(this.lines.at(this.bytes), notUtf8())
    if (this.columns === undefined)
      throw new AppError('invalid_csv', 'the file has no header: its first line should name the columns')
  }

  /** Answers null, for rows are not to be kept by the parser. */
  private read(cells: readonly string[]): null {
    const { bytes: end } = this.parser.info
    if (cells.length === 1 && cells[0] === '') return null
    const behind = this.lines.at(end)
    const isEnded = this.lines.at(end - 1) !== behind
    const line = behind - (isEnded ? 1 : 0) - lineEnds(cells)
    if (this.columns === undefined) this.readHeader(line, cells)
    else this.readRow(line, cells, this.columns)
    return null
  }

  private readHeader(line: number, names: readonly string[]): void {
    try {
      this.columns = new CsvColumns(names, this.options.types, this.limits)
    } catch (error) {
      throw error instanceof AppError && error.code !== 'invalid_parameter' ? atLine(line, error) : error
    }
    this.onColumns?.(this.columns)
  }

  private readRow(line: number, cells: readonly string[], columns: CsvColumns): void {
    let document: ReadDocument
    try {
      document = columns.document(cells)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.sink.fault(line, error)
      return
    }
    this.sink.document({ line }, document)
  }

  /** @throws AppError where nobody can say which of what follows are rows */
  private skip(error: { readonly code?: string } | undefined): undefined {
    const { bytes: end } = this.parser.info
    const line = end === this.cell.end ? this.cell.line : this.lines.at(end)
    if (error?.code !== 'INVALID_OPENING_QUOTE' || this.columns === undefined)
      throw atLine(line, csvFault(error?.code))
    // A row is one fault, however many there are in it.
    if (line === this.skippedLine) return
    this.skippedLine = line
    this.sink.fault(line, csvFault(error.code))
  }
}

/** How many bytes at the end begin a character that goes on behind them. */
function cutCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? back : 0
  }
  return 0
}

/** Where the first line begins that is not UTF-8. */
function beforeBadLine(bytes: Buffer): number {
  let start = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== NEWLINE && bytes[at] !== CARRIAGE_RETURN) continue
    if (!isUtf8(bytes.subarray(start, at))) break
    start = at + 1
  }
  return start
}

function lineEnds(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells)
    if (cell.includes('\n') || cell.includes('\r')) count += cell.split(/\r\n|\n|\r/).length - 1
  return count
}

function notUtf8(): AppError {
  return new AppError(
    'invalid_unicode',
    'the file is not UTF-8; save it as that, or convert it, as with iconv',
  )
}

function csvFault(code: string | undefined): AppError {
  switch (code) {
    case 'INVALID_OPENING_QUOTE':
      return new AppError(
        'invalid_csv',
        'a quote stands in a cell that does not begin with one; put the cell in quotes, and double each quote in it',
      )
    case 'CSV_INVALID_CLOSING_QUOTE':
      return new AppError(
        'invalid_csv',
        'a cell in quotes begins on this line, and goes on behind its closing quote; double each quote in it',
      )
    case 'CSV_QUOTE_NOT_CLOSED':
      return new AppError('invalid_csv', 'a cell in quotes begins on this line, and no quote closes it')
    case 'CSV_MAX_RECORD_SIZE':
      return new AppError('invalid_csv', 'the row of this line does not end; a quote may be open in it')
    default:
      return new AppError('invalid_csv', 'this is no CSV')
  }
}
