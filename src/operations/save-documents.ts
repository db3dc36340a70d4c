import { type ParsedSave, readSave } from '../body/decode-body.ts'
import { bodyBytes } from '../body/request-body.ts'
import type { Principal } from '../domain/principal.ts'
import { AppError, namedError } from '../errors.ts'
import { documentTooLargeForApp } from '../json/document-too-large.ts'
import type { SavedDocument } from '../storage/store.ts'
import { withAssignedId } from '../update/make-document.ts'
import { authoriseConditions, authoriseUpsert } from './authorise.ts'
import type {
  Body,
  BodyFormat,
  CollectionInput,
  ConditionalInput,
  OperationContext,
  WriteReturn,
} from './context.ts'

export interface SaveDocumentsInput extends CollectionInput, ConditionalInput {
  /** One document or an array of them, or lines of them, in UTF-8. */
  readonly body: Body
  readonly format: BodyFormat
  readonly returning: WriteReturn
}

/** JSON ready to send, in chunks where it is long. */
interface SavedText {
  readonly first: string
  /** What comes after `first`, where that is not the whole answer yet. */
  readonly rest?: AsyncIterable<string>
}

export interface SaveDocumentsResult extends SavedText {
  /** How many documents were saved. */
  readonly length: number
  /** Whether at least one document is new. */
  readonly created: boolean
  /** Whether the answer is one whole document. */
  readonly isWhole: boolean
  /** The `_id` of the one document, where it is a text. */
  readonly textId?: string | undefined
}

type SaveTarget = ReturnType<typeof authoriseUpsert> & ReturnType<typeof authoriseConditions>

/** Length at which a chunk of a bulk's answer is sent off. */
const CHUNK_CHARACTERS = 64 * 1024

/**
 * Saves one document, or several, all or none; each overwrites the one with its `_id`. Answers the saved documents:
 * one bare, or an array in the order of the body, also of lines. All of that came with the request, ids and placeholders apart, so
 * that it is answered without `read` too.
 * @throws AppError `quota_exceeded`, `too_many_documents`, `invalid_request` for conditions on several, for the app, the name and each document as their readers do, and what the
 * store throws
 */
export async function saveDocuments(
  context: OperationContext,
  principal: Principal,
  input: SaveDocumentsInput,
): Promise<SaveDocumentsResult> {
  const target = authoriseUpsert(context, principal, input)
  const conditional = authoriseConditions(principal, input.conditions)
  const save = () => saveBody(context, { ...target, ...conditional }, input)
  return context.withRoom(principal, bodyBytes(input.body), save)
}

async function saveBody(
  context: OperationContext,
  { documentBytes, ...target }: SaveTarget,
  input: SaveDocumentsInput,
): Promise<SaveDocumentsResult> {
  const body = await readSave(context, input.body, input.format)
  const { isBulk, documents } = body
  if (isBulk && input.conditions !== undefined) throw conditionOnSeveral()
  if (documentBytes !== undefined) requireBytes(body, documentBytes)
  if (body.length === 0) return { length: 0, first: '[]', created: false, isWhole: false }
  const saved = await context.store.saveDocuments({ ...target, documents }).catch((error: unknown) => {
    throw named(error, body)
  })
  const created = saved.some((document) => document.created)
  const { returning } = input
  if (isBulk) return { ...bulkText(body, saved, returning), length: body.length, created, isWhole: false }
  return {
    length: 1,
    first: returnedText(body, saved, { index: 0, returning }),
    created,
    isWhole: returning === 'documents',
    textId: saved[0]!.assignedId ?? textIdOf(body),
  }
}

/** @throws AppError `document_too_large` */
function requireBytes(body: ParsedSave, documentBytes: number): void {
  for (let index = 0; index < body.length; index++)
    if (body.bytesOf(index) > documentBytes) {
      const error = documentTooLargeForApp(documentBytes)
      throw body.isBulk ? namedError(body.nameOf(index), error) : error
    }
}

function conditionOnSeveral(): AppError {
  return new AppError(
    'invalid_request',
    'If-Match and If-None-Match are about one document, and this body holds several; save each by itself, not in an array',
  )
}

function textIdOf({ idTextOf }: ParsedSave): string | undefined {
  const id = idTextOf(0)
  return id?.startsWith('"') ? (JSON.parse(id) as string) : undefined
}

/** A refusal that begins with the document it is about. */
function named(error: unknown, { isBulk, nameOf }: ParsedSave): unknown {
  if (!(error instanceof AppError) || error.documentIndex === undefined || !isBulk) return error
  return namedError(nameOf(error.documentIndex), error)
}

interface DocumentToReturn {
  readonly index: number
  readonly returning: WriteReturn
}

function returnedText(
  body: ParsedSave,
  saved: readonly SavedDocument[],
  { index, returning }: DocumentToReturn,
): string {
  const { assignedId } = saved[index]!
  if (returning === 'ids') return `{"_id":${body.idTextOf(index) ?? JSON.stringify(assignedId)}}`
  const text = body.textOf(index)
  return assignedId === undefined ? text : withAssignedId(text, assignedId)
}

/** In chunks, which are made one after the other as the client takes them. */
function bulkText(body: ParsedSave, saved: readonly SavedDocument[], returning: WriteReturn): SavedText {
  const chunks = bulkChunks(body, saved, returning)
  const first = chunks.next().value ?? ''
  const second = chunks.next()
  return second.done === true ? { first } : { first, rest: oneByOne(second.value, chunks) }
}

function* bulkChunks(
  body: ParsedSave,
  saved: readonly SavedDocument[],
  returning: WriteReturn,
): Generator<string, undefined> {
  let chunk = '['
  for (let index = 0; index < body.length; index++) {
    if (index > 0) chunk += ','
    chunk += returnedText(body, saved, { index, returning })
    for (; chunk.length >= CHUNK_CHARACTERS; chunk = chunk.slice(chunkEnd(chunk)))
      yield chunk.slice(0, chunkEnd(chunk))
  }
  yield `${chunk}]`
}

/** Never between the two halves of a surrogate pair, which are no text alone. */
function chunkEnd(text: string): number {
  const last = text.charCodeAt(CHUNK_CHARACTERS - 1)
  return last >= 0xd800 && last <= 0xdbff ? CHUNK_CHARACTERS - 1 : CHUNK_CHARACTERS
}

async function* oneByOne(second: string, others: Iterable<string>): AsyncGenerator<string> {
  yield second
  yield* others
}
