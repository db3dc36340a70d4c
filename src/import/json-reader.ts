import { LONGEST_FORM } from '../body/parse-body.ts'
import type { ReadDocument } from '../body/read-document.ts'
import { AppError } from '../errors.ts'
import { documentTooLarge } from '../json/document-too-large.ts'
import { type RecordRules, readRecord, recordText } from './read-record.ts'
import { atIndex, type RecordReader, type RecordSink } from './record-sink.ts'
import { type JsonPiece, JsonSplitter } from './split-json.ts'

/** Documents in one array, or one behind the other. */
export class JsonReader implements RecordReader {
  private readonly rules: RecordRules
  private readonly sink: RecordSink
  private readonly pieces: JsonSplitter

  constructor(rules: RecordRules, sink: RecordSink) {
    this.rules = rules
    this.sink = sink
    this.pieces = new JsonSplitter(rules.limits.documentBytes * LONGEST_FORM)
  }

  async push(piece: Buffer): Promise<void> {
    for (const each of this.pieces.push(piece)) this.read(each)
  }

  async end(): Promise<void> {
    this.pieces.end()
  }

  private read({ line, index, isElement, bytes }: JsonPiece): void {
    const progress = { position: 0 }
    let text = ''
    let document: ReadDocument
    try {
      if (bytes === undefined) throw documentTooLarge(this.rules.limits.documentBytes)
      text = recordText(bytes)
      document = readRecord(text, this.rules, progress)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const at = WHERE_IT_STOPPED.has(error.code) ? newlines(text.slice(0, progress.position)) : 0
      const told = isElement || error.code !== 'document_too_large' ? error : wrapped(error)
      this.sink.fault(line + at, atIndex(index, told))
      return
    }
    this.sink.document({ line, index }, document)
  }
}

/** What the parser stops at, so that the line is that of the fault itself. */
const WHERE_IT_STOPPED: ReadonlySet<string> = new Set([
  'invalid_json',
  'duplicate_key',
  'number_out_of_range',
  'invalid_unicode',
  'null_character',
])

/** Of an object that may be all of the file. */
function wrapped({ code, message }: AppError): AppError {
  return new AppError(
    code,
    `${message}; where the documents are inside of one object, as in GeoJSON, take them out first: jq -c '.features[]'`,
  )
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}
