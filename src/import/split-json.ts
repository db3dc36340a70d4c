import { AppError } from '../errors.ts'
import { atLine, emptyFile } from './record-sink.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const NEWLINE = 0x0a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A value of a file of JSON. */
export interface JsonPiece {
  /** On which it begins, from 1. */
  readonly line: number
  /** From 0. */
  readonly index: number
  /** Whether it is an element of the file's array. */
  readonly isElement: boolean
  /** Undefined where it is too long to be kept. */
  readonly bytes: Buffer | undefined
}

/** What may come next outside of all values. */
type Expected =
  /** A value, or the `[` of an array of them. */
  | 'beginning'
  /** In an array, behind its `[`. */
  | 'first'
  /** In an array, behind a comma. */
  | 'value'
  /** In an array, behind a value. */
  | 'comma'
  /** Outside of an array, behind a value: another one, as `mongoexport` writes them. */
  | 'next'
  /** Behind the array. */
  | 'nothing'

/**
 * Cuts the JSON of a file that comes piece by piece into its documents: the elements of its array, or objects one behind the
 * other. It looks at brackets and texts alone; whether a document is JSON inside is for its parser to say.
 */
export class JsonSplitter {
  private readonly mostBytes: number
  private expected: Expected = 'beginning'
  private line = 1
  private index = 0
  /** Of the value that has begun, or undefined. */
  private inside: 'scalar' | 'scanned' | undefined
  private begunLine = 0
  private parts: Buffer[] = []
  private partBytes = 0
  private depth = 0
  private inText = false
  private isEscaped = false

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  /** @throws AppError `invalid_json`, named by its line */
  *push(piece: Buffer): Generator<JsonPiece> {
    let at = 0
    while (at < piece.length) {
      if (this.inside === undefined) at = this.begin(piece, at)
      if (this.inside === undefined) return
      const end = this.inside === 'scalar' ? scalarEnd(piece, at) : this.scan(piece, at)
      this.keep(piece.subarray(at, end < 0 ? piece.length : end))
      if (end < 0) return
      yield this.take()
      at = end
    }
  }

  /** @throws AppError `invalid_json`, named by its line, where the file is not whole */
  end(): void {
    if (this.expected === 'beginning' && this.inside === undefined) throw emptyFile()
    if (this.inside !== undefined)
      throw atLine(
        this.begunLine,
        cutOff(`within the document at index ${this.index}, which begins on this line`),
      )
    if (this.expected !== 'nothing' && this.expected !== 'next')
      throw atLine(this.line, cutOff('before the ] of its array'))
  }

  /** Passes over what stands between values; answers where one begins, or the end of the piece. */
  private begin(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at]!
      if (byte === NEWLINE) this.line++
      if (isBlank(byte)) continue
      const { expected } = this
      const mayEnd = expected === 'first' || expected === 'comma'
      if (expected === 'beginning' && byte === OPEN_ARRAY) this.expected = 'first'
      else if (expected === 'comma' && byte === COMMA) this.expected = 'value'
      else if (mayEnd && byte === CLOSE_ARRAY) this.expected = 'nothing'
      else if (this.mayBegin(byte)) {
        this.begunLine = this.line
        this.inside = byte === QUOTE || byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 'scanned' : 'scalar'
        return at
      } else throw atLine(this.line, unexpected(byte, expected, this.index))
    }
    return piece.length
  }

  private mayBegin(byte: number): boolean {
    const { expected } = this
    if (expected === 'beginning' || expected === 'next') return byte === OPEN_OBJECT
    return (expected === 'first' || expected === 'value') && byte !== COMMA && byte !== CLOSE_ARRAY
  }

  /** Goes through a text, an object or an array; answers where it ends, or -1 where that is not in the piece. */
  private scan(piece: Buffer, from: number): number {
    let { depth, inText, isEscaped, line } = this
    let end = -1
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at]!
      if (byte === NEWLINE) line++
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inText = false
      } else if (byte === QUOTE) inText = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
      else continue
      if (depth > 0 || inText) continue
      end = at + 1
      break
    }
    Object.assign(this, { depth, inText, isEscaped, line })
    return end
  }

  private keep(part: Buffer): void {
    this.partBytes += part.length
    if (this.partBytes > this.mostBytes) this.parts = []
    else this.parts.push(part)
  }

  private take(): JsonPiece {
    const { parts, begunLine: line, index } = this
    const isKept = this.partBytes <= this.mostBytes
    this.parts = []
    this.partBytes = 0
    this.depth = 0
    this.inside = undefined
    this.index++
    const isElement = this.expected !== 'beginning' && this.expected !== 'next'
    this.expected = isElement ? 'comma' : 'next'
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    return { line, index, isElement, bytes: isKept ? bytes : undefined }
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}

function scalarEnd(piece: Buffer, from: number): number {
  for (let at = from; at < piece.length; at++) {
    const byte = piece[at]!
    if (isBlank(byte) || byte === COMMA || byte === CLOSE_ARRAY) return at
  }
  return -1
}

function cutOff(where: string): AppError {
  return new AppError('invalid_json', `the file is not whole: it ends ${where}`)
}

const AWAITED: Readonly<Record<Expected, string>> = {
  beginning: 'an array of documents, or documents one behind the other, should stand here',
  first: 'a document or ] should stand here',
  value: 'a document should stand here',
  comma: 'a , or ] should stand here',
  next: 'behind a document that is in no array another one may stand',
  nothing: 'behind the ] of the array the file should end',
}

function unexpected(byte: number, expected: Expected, index: number): AppError {
  const found = byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)) : 'character outside ASCII'
  const where = index === 0 ? '' : ` behind the document at index ${index - 1}`
  return new AppError(
    'invalid_json',
    `this is not valid JSON: unexpected ${found}${where}; ${AWAITED[expected]}`,
  )
}
