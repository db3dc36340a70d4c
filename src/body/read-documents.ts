import { setImmediate } from 'node:timers/promises'
import type { Limits } from '../domain/limits.ts'
import { AppError, namedError } from '../errors.ts'
import { ExactParser } from '../json/exact.ts'
import type { PlaceholderSource } from '../update/ast.ts'
import { bodyText } from './parse-body.ts'
import type { ReadDocument } from './read-document.ts'
import { readDocument } from './read-document.ts'

/** Time for which a bulk may hold an event loop before everybody else gets a turn. */
export const TURN_MS = 10

export interface DocumentsOfBody {
  /** Whether the body was an array, or lines. */
  readonly isBulk: boolean
  readonly documents: readonly ReadDocument[]
  /** The number of each document's line, where the body was lines. */
  readonly lines?: readonly number[]
}

/**
 * The documents of a body that is to be saved: one, or an array of them.
 * @throws AppError `too_many_documents`, and for the text and each document as their readers do
 */
export async function readDocuments(
  body: Buffer,
  source: PlaceholderSource,
  limits: Limits,
): Promise<DocumentsOfBody> {
  const { nestingLevels, documentBytes } = limits
  const parser = new ExactParser(bodyText(body, limits), { nestingLevels, maxBytes: documentBytes })
  const isBulk = parser.take('[')
  const documents = isBulk
    ? await readBulk(parser, source, limits)
    : [readDocument(parser, source, documentBytes)]
  parser.end()
  return { isBulk, documents }
}

/** Reads what follows a `[`, a document at a time, so that a long body leaves the event loop free. */
async function readBulk(
  parser: ExactParser,
  source: PlaceholderSource,
  limits: Limits,
): Promise<ReadDocument[]> {
  const documents: ReadDocument[] = []
  if (parser.take(']')) return documents
  let turn = performance.now()
  do {
    if (documents.length === limits.bulkDocuments) throw tooManyDocuments(limits)
    try {
      documents.push(readDocument(parser, source, limits.documentBytes))
    } catch (error) {
      throw namedError(`the document at index ${documents.length}`, error)
    }
    if (performance.now() - turn > TURN_MS) {
      await setImmediate()
      turn = performance.now()
    }
  } while (parser.take(','))
  if (!parser.take(']'))
    throw new AppError(
      'invalid_json',
      `this is not valid JSON: a , or ] should stand after the document at index ${documents.length - 1}`,
    )
  return documents
}

export function tooManyDocuments({ bulkDocuments }: Limits): AppError {
  return new AppError('too_many_documents', `one request may save at most ${bulkDocuments} documents`)
}
