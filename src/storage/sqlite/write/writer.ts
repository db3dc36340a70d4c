import type { Connection } from '../files/connection.ts'
import type { Connections } from '../files/connections.ts'
import { checkUnique } from '../index/index-maintenance.ts'
import { type Failure, failureOf } from '../protocol/failures.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import type { WriteRequest } from '../protocol/requests.ts'
import type { SeqlockTable } from '../protocol/seqlock-table.ts'
import type { StepRequest } from '../protocol/upkeep-requests.ts'
import { writeSet } from '../protocol/write-set.ts'
import { ChangeLogs } from './change-log.ts'
import { commit } from './commit.ts'
import { SEARCH_BOUNDS } from './select-write-targets.ts'
import { countDocuments, emptyTally, type WriteContext, type WriterBounds } from './write-context.ts'
import { deleteMany, deleteOne, dropCollection } from './write-deletes.ts'
import { performImport } from './write-imports.ts'
import { save } from './write-saves.ts'
import { updateMany, updateOne } from './write-updates.ts'
import { performUpkeep } from './write-upkeep.ts'

const WRITER_BOUNDS: WriterBounds = { ...SEARCH_BOUNDS, stepMs: 10 }

export interface QueuedWrite {
  readonly id: number
  readonly request: WriteRequest | StepRequest
  /** When it began to wait, in `monotonicMs`: that is a part of the time that it may take, but for steps that are short. */
  readonly since: number
}

export type WriteOutcome =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure }

type SharedContext = Omit<WriteContext, 'app' | 'connection' | 'deadline' | 'tally'>

/**
 * Carries out writes in groups: all that has queued goes into one transaction per app, and nothing is acknowledged
 * before that transaction is on the disk.
 */
export class Writer {
  private readonly connections: Connections
  private readonly context: SharedContext
  private readonly versions: SeqlockTable
  /** Told which write is under way, or 0, so that the main thread sees one that overruns. */
  private readonly onProgress: (id: number) => void

  constructor(
    connections: Connections,
    context: Omit<SharedContext, 'bounds' | 'changes' | 'imports'>,
    versions: SeqlockTable,
    onProgress: (id: number) => void,
    given: Partial<WriterBounds> = {},
  ) {
    this.connections = connections
    const bounds = { ...WRITER_BOUNDS, ...given }
    const { keptChanges } = bounds
    const changes = new ChangeLogs({ keptChanges, lastsMs: context.limits.queryDeadlineMs })
    this.context = { ...context, bounds, changes, imports: new Set() }
    this.versions = versions
    this.onProgress = onProgress
  }

  /**
   * The outcome of each write, in any order; those of one app keep the order in which they came. Steps have transactions
   * of their own: for lack of room none of the others fails with them.
   */
  commitGroup(writes: readonly QueuedWrite[]): WriteOutcome[] {
    const groups = Map.groupBy(writes, ({ id, request: { kind, app } }) =>
      kind === 'import' || kind === 'upkeep' ? `${id}` : `of ${app}`,
    )
    return [...groups.values()].flatMap((group) => this.commitApp(group[0]!.request.app, group))
  }

  private commitApp(app: string, writes: readonly QueuedWrite[]): WriteOutcome[] {
    let connection: Connection | undefined
    try {
      connection = this.connections.to(app)
      connection.beginWrite()
      connection.catalog.refresh()
      const counts = new Map<number, number>()
      const outcomes = writes.map((write) => this.carryOut(connection!, write, counts))
      writeCounts(connection, counts)
      // From here on only the disk can be slow, which a new thread would not mend.
      this.onProgress(0)
      const touched = writeSet(writes.map(({ request }) => request))
      this.versions.during(touched, () => commit(connection!))
      return outcomes
    } catch (error) {
      // Nothing of the group is there for readers, so every write of it is refused.
      if (connection !== undefined) rollBack(connection)
      const failure = failureOf(error)
      return writes.map(({ id }) => ({ id, failure }))
    } finally {
      this.onProgress(0)
    }
  }

  private carryOut(
    connection: Connection,
    { id, request, since }: QueuedWrite,
    counts: Map<number, number>,
  ): WriteOutcome {
    const waitedMs = isShortStep(request) ? 0 : monotonicMs() - since
    const leftMs = this.context.limits.queryDeadlineMs - waitedMs
    if (leftMs <= 0) return { id, failure: WAITED_TOO_LONG }
    this.onProgress(id)
    const deadline = performance.now() + leftMs
    const tally = emptyTally()
    const context = { ...this.context, app: request.app, connection, deadline, tally }
    const single = isSingleStatement(connection, request)
    try {
      if (!single) connection.run('SAVEPOINT one_write')
      const value = perform(context, request)
      checkUnique(connection, tally.taken)
      if (!single) connection.run('RELEASE one_write')
      for (const [collection, change] of tally.counts) countDocuments(counts, collection, change)
      return { id, value }
    } catch (error) {
      const failure = failureOf(error)
      if (failure.code === 'store_unavailable') throw error
      if (!single) connection.run('ROLLBACK TO one_write')
      if (!single) connection.run('RELEASE one_write')
      connection.catalog.forget()
      return { id, failure }
    } finally {
      connection.functions.release()
    }
  }
}

/** So that many slow writes at once hold up the others for no longer than one of them may. */
const WAITED_TOO_LONG: Failure = {
  code: 'deadline_exceeded',
  message: 'the write waited too long behind others, and nothing of it was done; send it again',
}

/**
 * Steps of imports end by themselves after `stepMs`, and of each import one waits at a time. What they wait is not
 * held against them: hours of upload would be lost by one slow moment of the disk. So it is with sweeping.
 */
function isShortStep(request: WriteRequest | StepRequest): boolean {
  if (request.kind === 'import') return request.step !== 'whole'
  return request.kind === 'upkeep' && request.step === 'sweep'
}

/** Writes that a failure leaves undone by itself, for they change the file in one statement, their last. */
function isSingleStatement({ catalog }: Connection, request: WriteRequest | StepRequest): boolean {
  const isSingle = (request.kind === 'save' && request.documents.length === 1) || request.kind === 'deleteOne'
  if (!isSingle) return false
  const collection = catalog.collection(request.collection)
  return collection === undefined || catalog.indexesOf(collection).length === 0
}

function writeCounts(connection: Connection, counts: ReadonlyMap<number, number>): void {
  const sql = 'UPDATE collections SET documents = documents + ?, last_place = max(last_place, ?) WHERE id = ?'
  for (const [collection, change] of counts)
    connection.run(sql, change, connection.catalog.lastRowId(collection), collection)
}

function perform(context: WriteContext, request: WriteRequest | StepRequest): unknown {
  switch (request.kind) {
    case 'save':
      return save(context, request)
    case 'updateOne':
      return updateOne(context, request)
    case 'updateMany':
      return updateMany(context, request)
    case 'deleteOne':
      return deleteOne(context, request)
    case 'deleteMany':
      return deleteMany(context, request)
    case 'drop':
      return dropCollection(context, request)
    case 'import':
      return performImport(context, request)
    case 'upkeep':
      return performUpkeep(context, request)
    default:
      return request satisfies never
  }
}

function rollBack(connection: Connection): void {
  connection.catalog.forget()
  if (connection.isInTransaction()) connection.run('ROLLBACK')
}
