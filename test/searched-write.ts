import assert from 'node:assert/strict'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { unpackedUpdate } from '../src/storage/packed.ts'
import { ResultMemoryLimit } from '../src/storage/sqlite/client/result-memory-limit.ts'
import {
  type SearchAllowance,
  type SearchRequest,
  searchThenWrite,
} from '../src/storage/sqlite/client/search-then-write.ts'
import { compileFilter } from '../src/storage/sqlite/compile/compile-filter.ts'
import type {
  Continuable,
  DeleteManyRequest,
  LocatedChunk,
  UpdateManyRequest,
  WriteRequest,
} from '../src/storage/sqlite/protocol/requests.ts'
import type { DocumentStore } from '../src/storage/store.ts'
import { filterOf, textOf } from './contract-harness.ts'
import { memoryStore } from './memory-store.ts'
import { AT, type SqliteEngine } from './sqlite-engine.ts'

const DEADLINE_MS = 30_000
const HELD = new ResultMemoryLimit()

export interface Interruptions {
  /** What others write before each call after the first one. */
  readonly between: readonly (readonly WriteRequest[])[]
  /** What others write in the transaction of each call to the writer, before it. */
  readonly together: readonly (readonly WriteRequest[])[]
  /** Row ids that a reader finds at a time. */
  readonly chunkLength: number
}

/** A write by query on an engine and, at the moment when it is done there, on the plain store. */
export class SearchedWrite {
  /** The calls that it took. */
  readonly calls: string[] = []
  private readonly engine: SqliteEngine
  private readonly model = memoryStore({ limits: DEFAULT_LIMITS, serviceNames: ['Service'] })
  private readonly between: (readonly WriteRequest[])[]
  private readonly together: (readonly WriteRequest[])[]
  private readonly chunkLength: number

  constructor(engine: SqliteEngine, { between, together, chunkLength }: Interruptions) {
    this.engine = engine
    this.between = [...between]
    this.together = [...together]
    this.chunkLength = chunkLength
  }

  /** Writes to both, in one transaction, and checks that both answer the same. */
  async writeBoth(requests: readonly WriteRequest[]): Promise<void> {
    const outcomes = this.engine.commit(requests)
    for (const [at, outcome] of outcomes.entries())
      assert.deepEqual(resultOf(outcome), await onModel(this.model, requests[at]!))
  }

  /** Answers what both answer: a result, or the code of an error. */
  async run(request: UpdateManyRequest | DeleteManyRequest): Promise<unknown> {
    let modelled: unknown
    const result = await this.search(request, {}, async () => {
      modelled = await onModel(this.model, request)
    }).catch((error: { code?: string }) => {
      if (error.code === undefined || error.code === 'internal') throw error
      return error.code
    })
    assert.deepEqual(result, modelled)
    return result
  }

  /** Runs it on the engine alone. */
  runUnwatched(
    request: UpdateManyRequest | DeleteManyRequest,
    time: Partial<SearchAllowance>,
  ): Promise<unknown> {
    return this.search(request, time, async () => {})
  }

  /** Checks that both hold the same documents in the same order, and that the engine has counted them. */
  async checkDocuments(): Promise<void> {
    const { catalog } = this.engine.connection
    const all = { ...AT, filter: filterOf('{}'), sort: [], skip: 0, limit: 1000 }
    const request = { kind: 'find' as const, ...all, budgetMs: DEADLINE_MS, isForeground: false }
    const { text } = this.engine.read<{ text: string }>(request)
    assert.equal(`[${text}]`, await textOf(await this.model.findDocuments(all)))
    const collection = catalog.collection(AT.collection)
    const counted = collection === undefined ? 0 : catalog.documentsOf(collection)
    assert.equal(counted, await this.model.countDocuments(all))
  }

  private search(
    request: UpdateManyRequest | DeleteManyRequest,
    time: Partial<SearchAllowance>,
    onDone: () => Promise<void>,
  ): Promise<unknown> {
    const writer = { call: <Result>(asked: WriteRequest) => this.write(asked, onDone) as Promise<Result> }
    const reader = { call: <Result>(asked: SearchRequest) => this.find(asked) as Promise<Result> }
    return searchThenWrite({ writer, reader }, request, { deadlineMs: DEADLINE_MS, held: HELD, ...time })
  }

  private async write(request: WriteRequest, onDone: () => Promise<void>): Promise<unknown> {
    const { found, isFinal } = request as UpdateManyRequest
    if (found !== undefined) await this.interrupt()
    this.calls.push(`write${found === undefined ? '' : ' found'}${isFinal ? ', final' : ''}`)
    const others = this.together.shift() ?? []
    const outcomes = this.engine.commit([...others, request])
    const own = outcomes.pop()!
    for (const [at, outcome] of outcomes.entries())
      assert.deepEqual(resultOf(outcome), await onModel(this.model, others[at]!))
    if ('failure' in own) {
      await onDone()
      throw Object.assign(new Error(own.failure.message), { code: own.failure.code })
    }
    if (typeof own.value === 'number' || !('mark' in (own.value as object))) await onDone()
    return own.value
  }

  private async find(request: SearchRequest): Promise<Continuable<LocatedChunk>> {
    await this.interrupt()
    this.calls.push(request.kind)
    const limit = Math.min(request.limit, this.chunkLength)
    const chunk = this.engine.read<LocatedChunk>({ ...request, limit })
    // A reader whose time is over at the last of these.
    if (chunk.rowIds.length < limit || limit === request.limit) return chunk
    const filter = request.kind === 'locate' ? request.filter : compileFilter(request.filter)
    return { rowIds: chunk.rowIds, after: chunk.rowIds.at(-1)!, done: false, filter }
  }

  private async interrupt(): Promise<void> {
    await this.writeBoth(this.between.shift() ?? [])
  }
}

function resultOf(outcome: ReturnType<SqliteEngine['commit']>[number]): unknown {
  if (!('failure' in outcome)) return outcome.value
  assert.notEqual(outcome.failure.code, 'internal', outcome.failure.stack ?? '')
  return outcome.failure.code
}

async function onModel(model: DocumentStore, request: WriteRequest): Promise<unknown> {
  try {
    return await writeTo(model, request)
  } catch (error) {
    return (error as { code: string }).code
  }
}

function writeTo(model: DocumentStore, request: WriteRequest): Promise<unknown> {
  switch (request.kind) {
    case 'save':
      return model.saveDocuments(request)
    case 'updateOne':
      return model.updateDocument(request)
    case 'updateMany':
      return model.updateDocuments({ ...request, update: unpackedUpdate(request.update) })
    case 'deleteOne':
      return model.deleteDocument(request)
    case 'deleteMany':
      return model.deleteDocuments(request)
    case 'drop':
      return model.dropCollection(request)
    default:
      return request satisfies never
  }
}
