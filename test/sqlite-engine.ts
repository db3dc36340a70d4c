import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import type { Filter, SortField } from '../src/query/ast.ts'
import type { Connection } from '../src/storage/sqlite/files/connection.ts'
import { Connections } from '../src/storage/sqlite/files/connections.ts'
import { appFile, appsFolder } from '../src/storage/sqlite/files/data-folder.ts'
import { createAppFile } from '../src/storage/sqlite/files/schema.ts'
import { registerIndex, workOnIndexes } from '../src/storage/sqlite/index/index-work.ts'
import { monotonicMs } from '../src/storage/sqlite/protocol/monotonic.ts'
import type { ReadRequest, WriteRequest } from '../src/storage/sqlite/protocol/requests.ts'
import { createSeqlockCells, SeqlockTable } from '../src/storage/sqlite/protocol/seqlock-table.ts'
import type { StepRequest } from '../src/storage/sqlite/protocol/upkeep-requests.ts'
import { Reader } from '../src/storage/sqlite/read/reader.ts'
import type { WriterBounds } from '../src/storage/sqlite/write/write-context.ts'
import { type WriteOutcome, Writer } from '../src/storage/sqlite/write/writer.ts'

/** The app and the collection that an engine has. */
export const AT = { app: 'app', collection: 'c' }

const PERMITTED = { create: true, update: true }
const SLICE_MS = 5

/** What the storage threads do, on this one: a thousand times as fast to ask, for properties. */
export class SqliteEngine {
  readonly connection: Connection
  readonly versions = new SeqlockTable(createSeqlockCells())
  readonly dataDir = mkdtempSync(join(tmpdir(), 'sheaf-engine-'))
  private readonly writers: Connections
  private readonly readers: Connections
  private readonly writer: Writer
  private readonly reader: Reader
  private ulids = 0

  /** @param foregroundMs how long a read of the foreground goes on; without it nothing depends on the machine */
  constructor(bounds?: Partial<WriterBounds>, foregroundMs = Number.POSITIVE_INFINITY) {
    const { dataDir } = this
    mkdirSync(appsFolder(dataDir))
    createAppFile(appFile(dataDir, AT.app))
    this.writers = new Connections({ dataDir, mode: 'writer', limit: 1 })
    this.readers = new Connections({ dataDir, mode: 'reader', limit: 1 })
    this.connection = this.writers.to(AT.app)
    const context = {
      limits: DEFAULT_LIMITS,
      serviceNames: ['Service'],
      nextUlid: () => `ulid${this.ulids++}`,
    }
    this.writer = new Writer(this.writers, context, this.versions, () => {}, bounds)
    this.reader = new Reader(this.readers, foregroundMs)
  }

  write(request: WriteRequest | StepRequest, since = monotonicMs()): unknown {
    const [outcome] = this.writer.commitGroup([{ id: 0, request, since }])
    if (!('failure' in outcome!)) return outcome!.value
    throw Object.assign(new Error(outcome.failure.message), { code: outcome.failure.code })
  }

  /** Carries out writes in one transaction. */
  commit(requests: readonly (WriteRequest | StepRequest)[]): WriteOutcome[] {
    return this.writer.commitGroup(requests.map((request, id) => ({ id, request, since: monotonicMs() })))
  }

  read<Result>(request: ReadRequest): Result {
    try {
      return this.reader.handle(request) as Result
    } finally {
      this.reader.endBatch()
    }
  }

  save(documents: readonly JsonObject[]): void {
    const texts = documents.map((document) => ({
      id: document.get('_id') as number,
      text: stringify(document),
    }))
    this.write({ kind: 'save', ...AT, permitted: PERMITTED, documents: texts })
  }

  /** Makes an index and fills it. */
  addIndex(name: string, fields: readonly SortField[], { isUnique = false } = {}): void {
    this.register(name, fields, { isUnique })
    this.finishIndexes()
  }

  /** Makes an index that is still to be filled. */
  register(name: string, fields: readonly SortField[], { isUnique = false } = {}): void {
    const index = { name, fields, isUnique, isAutomatic: false, now: 0 }
    registerIndex(this.connection, { collection: AT.collection, ...index })
  }

  /** What the work on indexes does in the shortest of transactions. */
  workOnOneDocument(): void {
    workOnIndexes(this.connection, 0)
  }

  finishIndexes(): void {
    while (workOnIndexes(this.connection, SLICE_MS)) {}
  }

  /**
   * One step of sweeping.
   * @param binnedBefore milliseconds since the Unix epoch
   * @returns whether there is more
   */
  sweep(binnedBefore = 0): boolean {
    return this.write({ kind: 'upkeep', step: 'sweep', app: AT.app, binnedBefore }) !== 'done'
  }

  /** Runs something, and drops the collection also where that fails. */
  alone<Arguments extends unknown[]>(run: (...given: Arguments) => void): (...given: Arguments) => void {
    return (...given) => {
      try {
        run(...given)
      } finally {
        this.write({ kind: 'drop', ...AT })
      }
    }
  }

  close(): void {
    this.writers.closeAll()
    this.readers.closeAll()
    rmSync(this.dataDir, { recursive: true })
  }
}

/** Documents with the ids from `firstId` on. */
export function documentsFrom(bodies: readonly JsonObject[], firstId = 0): JsonObject[] {
  return bodies.map((body, index) => new Map<string, JsonValue>([['_id', firstId + index], ...body]))
}

/** A field for each path that a filter asks about. */
export function fieldsAskedFor(filter: Filter): SortField[] {
  if (filter.kind === 'and') return filter.filters.flatMap(fieldsAskedFor)
  if (filter.kind === 'not') return fieldsAskedFor(filter.filter)
  return [{ path: filter.path, direction: 1 }]
}

/** The first three fields with different paths. */
export function distinctFields(all: readonly SortField[]): SortField[] {
  return [...new Map(all.map((field) => [field.path.join('.'), field])).values()].slice(0, 3)
}
