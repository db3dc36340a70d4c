import { randomUUID } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { monotonicFactory } from 'ulid'
import type { Limits } from '../domain/limits.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts'
import { type PackedDocuments, packDocuments, packUpdate } from '../storage/packed.ts'
import { parseUpdate } from '../update/parse.ts'
import { givenId } from '../update/seed.ts'
import type { ParsedUpdate } from './decode-body.ts'
import { onlyId, parseBody } from './parse-body.ts'
import { previewChanges } from './preview-changes.ts'
import { readDocuments } from './read-documents.ts'
import { readNdjson } from './read-ndjson.ts'
import type { BodyFormat } from './request-body.ts'

/** What the thread is started with. */
export interface BodyThreadSettings {
  readonly limits: Limits
  readonly serviceNames: readonly string[]
}

/** What can be asked of the thread, and what comes back. */
export interface ReadRequests {
  readonly documents: {
    readonly isBulk: boolean
    readonly documents: PackedDocuments
    /** The JSON texts of their `_id`s, undefined where one has none. */
    readonly idTexts: readonly (string | undefined)[]
    /** The numbers of their lines, where they were lines. */
    readonly lines: readonly number[] | undefined
  }
  readonly update: ParsedUpdate
  readonly onlyId: string
  readonly changes: string
}

type Blocks = readonly Uint8Array<ArrayBuffer>[]

export type BodyRequest =
  | {
      readonly kind: 'documents'
      readonly blocks: Blocks
      readonly format: BodyFormat
      readonly now: number
    }
  | { readonly kind: 'update'; readonly blocks: Blocks }
  | { readonly kind: 'onlyId'; readonly text: string }
  | {
      readonly kind: 'changes'
      readonly documents: string
      readonly documentBytes: number | undefined
      readonly blocks: Blocks
      readonly now: number
    }

type DocumentsRequest = Extract<BodyRequest, { readonly kind: 'documents' }>

interface BodyFailure {
  readonly code: ErrorCode
  readonly message: string
  /** Of one that nobody expected, for the log alone. */
  readonly cause?: unknown
}

export type BodyReply =
  | readonly [id: number, value: ReadRequests[keyof ReadRequests]]
  | readonly [id: number, value: undefined, failure: BodyFailure]

const { limits, serviceNames } = workerData as BodyThreadSettings
const unique = monotonicFactory()

async function answer(request: BodyRequest): Promise<ReadRequests[keyof ReadRequests]> {
  switch (request.kind) {
    case 'documents':
      return readPacked(request)
    case 'update': {
      const update = parseUpdate(parseBody(Buffer.concat(request.blocks), limits), limits)
      return { kind: update.kind, givenId: idLike(givenId(update)), update: packUpdate(update) }
    }
    case 'onlyId':
      return onlyId(request.text)
    case 'changes': {
      const { blocks, ...tried } = request
      const body = Buffer.concat(blocks)
      return previewChanges({ limits, serviceNames, nextUlid: unique }, { ...tried, body })
    }
    default:
      return request satisfies never
  }
}

async function readPacked({ blocks, format, now }: DocumentsRequest): Promise<ReadRequests['documents']> {
  const source = { now, unique, uuid: randomUUID, serviceNames }
  const read =
    format === 'ndjson'
      ? readNdjson(blocks.map(bufferOf), source, limits)
      : readDocuments(Buffer.concat(blocks), source, limits)
  const { isBulk, documents, lines } = await read
  return {
    ...{ isBulk, lines },
    documents: packDocuments(documents),
    idTexts: documents.map(({ idText }) => idText),
  }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

/** An object or an array is no id, whatever it holds; how much that is need not be told. */
function idLike(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonArray(value) || isJsonObject(value) ? [] : value
}

function failureOf(error: unknown): BodyFailure {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return { code: 'internal', message: 'something went wrong inside', cause: error }
}

parentPort!.on('message', ([id, request]: [number, BodyRequest]) => {
  answer(request).then(
    (value) => parentPort!.postMessage([id, value] satisfies BodyReply),
    (error) => parentPort!.postMessage([id, undefined, failureOf(error)] satisfies BodyReply),
  )
})
