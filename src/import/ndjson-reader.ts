import { LONGEST_FORM } from '../body/parse-body.ts'
import { AppError } from '../errors.ts'
import { documentTooLarge } from '../json/document-too-large.ts'
import { type RecordRules, readRecord, recordText } from './read-record.ts'
import { atLine, type RecordReader, type RecordSink } from './record-sink.ts'
import { type Line, LineSplitter } from './split-lines.ts'

const OPEN_ARRAY = 0x5b

/** A document on each line that is not blank. */
export class NdjsonReader implements RecordReader {
  private readonly rules: RecordRules
  private readonly sink: RecordSink
  private readonly lines: LineSplitter
  private isFirst = true

  constructor(rules: RecordRules, sink: RecordSink) {
    this.rules = rules
    this.sink = sink
    this.lines = new LineSplitter(rules.limits.documentBytes * LONGEST_FORM)
  }

  async push(piece: Buffer): Promise<void> {
    for (const line of this.lines.push(piece)) this.read(line)
  }

  async end(): Promise<void> {
    for (const line of this.lines.end()) this.read(line)
  }

  private read({ number, bytes }: Line): void {
    if (this.isFirst && (bytes === undefined || bytes[0] === OPEN_ARRAY)) throw atLine(number, noLines())
    this.isFirst = false
    let document: ReturnType<typeof readRecord>
    try {
      if (bytes === undefined) throw documentTooLarge(this.rules.limits.documentBytes)
      document = readRecord(recordText(bytes), this.rules)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.sink.fault(number, error)
      return
    }
    this.sink.document({ line: number }, document)
  }
}

function noLines(): AppError {
  return new AppError(
    'invalid_document',
    'each line of NDJSON is a whole document, and the first line of this file is none; import it as JSON (format=json)',
  )
}
