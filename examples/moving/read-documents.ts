import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { parseJson } from '../../src/json/exact.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts'
import { Problem } from './problem.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN = { array: 0x5b, object: 0x7b }
const CLOSE = { array: 0x5d, object: 0x7d }
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const NESTING_LEVELS = 500
/** A document may be this long in the file; MongoDB's may have 16 MiB. */
const DOCUMENT_BYTES = 64 * 1024 * 1024

/** In the place of a document that can't be read as it is, so that the others are saved all the same. */
export class Unreadable {
  readonly reason: string
  /** What was read, as far as it can be shown. */
  readonly text: string

  constructor(reason: string, text: string) {
    this.reason = reason
    this.text = text
  }
}

/** UTF-8 without replacing what is none, by which two ids could become one. @throws Problem */
export function decode(bytes: Buffer, what: string): string {
  if (isUtf8(bytes)) return bytes.toString()
  throw new Problem(
    `${what} can't be read: it is not UTF-8; convert it, as with iconv, and run the script again`,
  )
}

/** One JSON text without losing a digit, a key or the order of keys. @throws Problem */
export function parse(text: string, what: string): JsonValue {
  try {
    return parseJson(text, { nestingLevels: NESTING_LEVELS })
  } catch (error) {
    throw new Problem(`${what} can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * The documents of a file, or of standard input where it is called `-`: one after the other, with any white space
 * between, or in one array. It is never in memory as a whole. @throws Problem
 */
export async function* readDocuments(file: string): AsyncGenerator<JsonObject | Unreadable> {
  for await (const bytes of splitObjects(file === '-' ? process.stdin : createReadStream(file)))
    yield readDocument(bytes)
}

function readDocument(bytes: Buffer): JsonObject | Unreadable {
  try {
    const document = parse(decode(bytes, 'it'), 'it')
    if (isJsonObject(document)) return document
    throw new Problem('it is no object')
  } catch (error) {
    if (error instanceof Problem) return new Unreadable(error.message, bytes.toString())
    throw error
  }
}

/** The bytes of the objects of a stream; what stands in none of them may be white space, `[`, `,` and `]`. */
async function* splitObjects(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let partBytes = 0
  let depth = 0
  let inText = false
  let escaped = false
  let isEmpty = true
  for await (const chunk of stream) {
    let start = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (inText) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inText = false
      } else if (depth === 0) {
        if (byte === OPEN.object) {
          depth = 1
          isEmpty = false
          start = i
        } else if (!isBetween(byte)) throw new Problem(notObjects(chunk, i))
        else if (byte === OPEN.array) isEmpty = false
      } else if (byte === QUOTE) inText = true
      else if (byte === OPEN.object || byte === OPEN.array) depth++
      else if ((byte === CLOSE.object || byte === CLOSE.array) && --depth === 0) {
        yield Buffer.concat([...parts, chunk.subarray(start, i + 1)])
        parts = []
        partBytes = 0
      }
    }
    if (depth === 0) continue
    parts.push(chunk.subarray(start))
    partBytes += chunk.length - start
    if (partBytes > DOCUMENT_BYTES) throw new Problem(`a document is longer than ${DOCUMENT_BYTES} bytes`)
  }
  // What was to fill it may have failed; an export without documents can be written as [].
  if (isEmpty) throw new Problem('there is nothing in it: no document, and no empty array')
  if (depth > 0) throw new Problem('the file ends within a document; it is not whole')
}

function isBetween(byte: number): boolean {
  return byte <= 0x20 || byte === COMMA || byte === OPEN.array || byte === CLOSE.array || isMark(byte)
}

function isMark(byte: number): boolean {
  return BYTE_ORDER_MARK.includes(byte)
}

function notObjects(chunk: Buffer, at: number): string {
  const shown = JSON.stringify(chunk.subarray(at, at + 20).toString())
  return `the file should hold JSON objects, one a line or in an array, and goes on with ${shown}`
}
