import { setImmediate } from 'node:timers/promises'
import type { Limits } from '../domain/limits.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { ExactParser } from '../json/exact.ts'
import type { DocumentToSave, SavedDocument } from '../storage/store.ts'
import type { PlaceholderSource } from '../update/ast.ts'
import { authoriseUpsert } from './authorise.ts'
import type { Answer, CollectionInput, OperationContext } from './context.ts'
import { bodyText } from './parse-body.ts'
import type { ReadDocument } from './read-document.ts'
import { readDocument, withAssignedId } from './read-document.ts'

export interface SaveDocumentsInput extends CollectionInput {
  /** One document or an array of them, as JSON in UTF-8. */
  readonly body: Buffer
  readonly answer: Answer
}

/** JSON ready to send, in pieces where it is long. */
interface SavedText {
  readonly first: string
  /** What comes after `first`, where that is not the whole answer yet. */
  readonly rest?: AsyncIterable<string>
}

export interface SaveDocumentsResult extends SavedText {
  /** Whether at least one document is new. */
  readonly created: boolean
}

/** Time for which a bulk may hold the event loop before everybody else gets a turn. */
const TURN_MS = 10
/** Length at which a piece of a bulk's answer is sent off. */
const PIECE_CHARACTERS = 64 * 1024

/**
 * Saves one document, or several, all or none; each overwrites the one with its `_id`. Answers the saved documents:
 * one bare, or an array in the order of the body. All of that came with the request, ids and placeholders apart, so
 * that it is answered without `read` too.
 * @throws AppError `too_many_documents`, for the app, the name and each document as their readers do, and what the
 * store throws
 */
export async function saveDocuments(
  context: OperationContext,
  principal: Principal,
  input: SaveDocumentsInput,
): Promise<SaveDocumentsResult> {
  const target = authoriseUpsert(context, principal, input)
  const { nestingLevels, documentBytes } = context.limits
  const parser = new ExactParser(bodyText(input.body, context.limits), {
    nestingLevels,
    maxBytes: documentBytes,
  })
  const source: PlaceholderSource = {
    now: context.now(),
    unique: context.unique,
    uuid: context.uuid,
    serviceNames: context.serviceNames,
  }
  const isBulk = parser.take('[')
  const documents = isBulk
    ? await readBulk(parser, source, context.limits)
    : [readDocument(parser, source, documentBytes)]
  parser.end()
  if (documents.length === 0) return { first: '[]', created: false }
  const saved = await context.store.saveDocuments({ ...target, documents: documents.map(toSave) })
  const created = saved.some((document) => document.created)
  if (isBulk) return { ...bulkAnswer(documents, saved, input.answer), created }
  return { first: answerText(documents[0]!, saved[0]!, input.answer), created }
}

/** Reads what follows a `[`, a document at a time, so that a long body leaves the event loop free. */
async function readBulk(
  parser: ExactParser,
  source: PlaceholderSource,
  { documentBytes, bulkDocuments }: Limits,
): Promise<ReadDocument[]> {
  const documents: ReadDocument[] = []
  if (parser.take(']')) return documents
  let turn = performance.now()
  do {
    if (documents.length === bulkDocuments)
      throw new AppError('too_many_documents', `one request may save at most ${bulkDocuments} documents`)
    try {
      documents.push(readDocument(parser, source, documentBytes))
    } catch (error) {
      throw atIndex(documents.length, error)
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

function atIndex(index: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  return new AppError(error.code, `the document at index ${index}: ${error.message}`, { cause: error })
}

function toSave({ id, text }: ReadDocument): DocumentToSave {
  return id === undefined ? { text } : { id, text }
}

function answerText(document: ReadDocument, { assignedId }: SavedDocument, answer: Answer): string {
  if (answer === 'ids') return `{"_id":${document.idText ?? JSON.stringify(assignedId)}}`
  return assignedId === undefined ? document.text : withAssignedId(document.text, assignedId)
}

function bulkAnswer(
  documents: readonly ReadDocument[],
  saved: readonly SavedDocument[],
  answer: Answer,
): SavedText {
  const pieces: string[] = []
  let piece = '['
  for (let i = 0; i < documents.length; i++) {
    if (i > 0) piece += ','
    piece += answerText(documents[i]!, saved[i]!, answer)
    if (piece.length < PIECE_CHARACTERS) continue
    pieces.push(piece)
    piece = ''
  }
  pieces.push(`${piece}]`)
  const [first = '', ...others] = pieces
  return others.length === 0 ? { first } : { first, rest: oneByOne(others) }
}

async function* oneByOne(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}
