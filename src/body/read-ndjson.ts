import { setImmediate } from 'node:timers/promises'
import type { Limits } from '../domain/limits.ts'
import { AppError, namedError } from '../errors.ts'
import { ExactParser } from '../json/exact.ts'
import type { PlaceholderSource } from '../update/ast.ts'
import { bodyText } from './parse-body.ts'
import type { ReadDocument } from './read-document.ts'
import { readDocument } from './read-document.ts'
import type { DocumentsOfBody } from './read-documents.ts'
import { TURN_MS, tooManyDocuments } from './read-documents.ts'
import type { Body } from './request-body.ts'

const NEWLINE = 0x0a
/** White space of JSON, a carriage return before a newline among it. */
const BLANK: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d])

/**
 * The documents of a body of NDJSON: each line that is not blank is one. Lines are taken out of the blocks in which the
 * body came, so that it is never in memory as a whole, neither joined nor as text.
 * @throws AppError `invalid_json` for an empty body, `too_many_documents`, and for each line as the readers of its text
 * and of documents do, with the number of the line
 */
export async function readNdjson(
  body: Body,
  source: PlaceholderSource,
  limits: Limits,
): Promise<DocumentsOfBody> {
  if (body.every(({ length }) => length === 0))
    throw new AppError(
      'invalid_json',
      'the body is empty; with this Content-Type each of its lines should be a JSON object',
    )
  const documents: ReadDocument[] = []
  const lines: number[] = []
  let turn = performance.now()
  for (const { number, bytes } of linesOf(body)) {
    try {
      const document = readLine(bytes, source, limits)
      if (document === undefined) continue
      if (documents.length === limits.bulkDocuments) throw tooManyDocuments(limits)
      documents.push(document)
      lines.push(number)
    } catch (error) {
      throw namedError(`line ${number}`, error)
    }
    if (performance.now() - turn > TURN_MS) {
      await setImmediate()
      turn = performance.now()
    }
  }
  return { isBulk: true, documents, lines }
}

/** The document on a line; undefined where there is none behind a byte order mark. */
function readLine(bytes: Buffer, source: PlaceholderSource, limits: Limits): ReadDocument | undefined {
  const { nestingLevels, documentBytes } = limits
  const text = bodyText(bytes, limits)
  const first = /[^ \t\r]/.exec(text)?.[0]
  if (first === undefined) return undefined
  // However long it is, and also where it goes on in the next line.
  if (first === '[') throw noObject()
  const parser = new ExactParser(text, { nestingLevels, maxBytes: documentBytes })
  try {
    const document = readDocument(parser, source, documentBytes)
    parser.end()
    return document
  } catch (error) {
    throw error instanceof AppError ? aboutLines(error) : error
  }
}

/** What goes wrong with a body that is JSON and no NDJSON is told so that one sees it. */
function aboutLines(error: AppError): AppError {
  if (error.code === 'invalid_document') return noObject()
  if (error.code !== 'invalid_json') return error
  return new AppError(
    error.code,
    `${error.message}; in NDJSON each line is a whole document, and JSON over several lines is sent with Content-Type: application/json`,
    { cause: error.cause },
  )
}

function noObject(): AppError {
  return new AppError(
    'invalid_document',
    'each line should be one JSON object; an array of documents is sent with Content-Type: application/json',
  )
}

interface Line {
  /** Counted from 1, blank ones too. */
  readonly number: number
  readonly bytes: Buffer
}

/** The lines that are not blank, from their first byte that is not white space on. No character has a newline in it. */
function* linesOf(body: Body): Generator<Line> {
  let number = 1
  let begun: Buffer[] = []
  for (const block of body) {
    let at = 0
    while (at < block.length) {
      if (begun.length === 0) {
        for (; BLANK.has(block[at]) || block[at] === NEWLINE; at++) if (block[at] === NEWLINE) number++
        if (at === block.length) break
      }
      const end = block.indexOf(NEWLINE, at)
      begun.push(block.subarray(at, end < 0 ? block.length : end))
      if (end < 0) break
      yield { number, bytes: joined(begun) }
      begun = []
      number++
      at = end + 1
    }
  }
  if (begun.length > 0) yield { number, bytes: joined(begun) }
}

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
