import { AppError } from '../../../errors.ts'
import type { GetCommand } from '../../store.ts'
import type { StoredCollection } from '../files/catalog.ts'
import type { Connection } from '../files/connection.ts'
import type { Connections } from '../files/connections.ts'
import { isHidden } from '../files/schema.ts'
import { isMissingTable } from '../protocol/failures.ts'
import { monotonicMs } from '../protocol/monotonic.ts'
import {
  type Continuable,
  type CountChunk,
  DEFERRED,
  type FetchedChunk,
  type FindChunk,
  type FindRequest,
  type FirstChunk,
  type LocatedChunk,
  type Lost,
  type ReadPlan,
  type ReadRequest,
  type ScanChunk,
} from '../protocol/requests.ts'
import { binEntries } from './bin-entries.ts'
import { count, resumeCount } from './count.ts'
import { fetch, find } from './find.ts'
import { findRowIds } from './find-row-ids.ts'
import { type Begun, BudgetExceeded, FOREGROUND_MS, type ReadBounds } from './foreground-budget.ts'
import { endOfPage, isOldCursor } from './keyset-cursor.ts'
import { measure } from './measure.ts'
import { textProjection } from './project-text.ts'
import { locate, scan } from './scan.ts'

/** What takes no time to speak of, one chunk or one document at most. */
const UNBOUNDED: ReadBounds = { isForeground: false, deadline: Number.POSITIVE_INFINITY }

/** Answers reads. Every one of a batch sees the app at the same moment. */
export class Reader {
  private readonly connections: Connections
  private readonly foregroundMs: number
  private readonly inTransaction = new Set<Connection>()

  /** @param foregroundMs how long it goes on with a read of the foreground */
  constructor(connections: Connections, foregroundMs = FOREGROUND_MS) {
    this.connections = connections
    this.foregroundMs = foregroundMs
  }

  /** Ends the batch: what is read next is read afresh. */
  endBatch(): void {
    // One that was closed to make room for another has none any more, nor has one whose disk has failed.
    for (const connection of this.inTransaction) if (connection.isInTransaction()) connection.run('COMMIT')
    this.inTransaction.clear()
  }

  /** Answers `DEFERRED` where a read of the foreground takes long. */
  handle(request: ReadRequest): unknown {
    const connection = this.connections.to(request.app)
    this.begin(connection)
    // Nothing is bound for it.
    if (request.kind === 'get') return this.answerWithFreshCatalog(connection, request, UNBOUNDED)
    const bounds = this.boundsOf(request)
    const { isForeground } = bounds
    try {
      if ('cancelled' in request) connection.functions.endWith(request.cancelled)
      return this.answerWithFreshCatalog(connection, request, bounds)
    } catch (error) {
      if (isForeground && (error instanceof BudgetExceeded || isOverdue(error))) return DEFERRED
      throw error
    } finally {
      connection.functions.release()
    }
  }

  private boundsOf(request: ReadRequest): ReadBounds {
    const now = performance.now()
    if (request.kind === 'findRowIds')
      return { isForeground: false, deadline: now + request.until - monotonicMs() }
    if (!('budgetMs' in request)) return UNBOUNDED
    const { budgetMs } = request
    const isForeground = 'isForeground' in request && request.isForeground
    return { isForeground, deadline: now + (isForeground ? Math.min(budgetMs, this.foregroundMs) : budgetMs) }
  }

  /** A collection that was dropped, and perhaps made anew, is noticed by what is missing. */
  private answerWithFreshCatalog(connection: Connection, request: ReadRequest, bounds: ReadBounds): unknown {
    try {
      return this.answer(connection, request, bounds)
    } catch (error) {
      if (!isMissingTable(error) && !isOldCursor(error)) throw error
      // What is known of the collection may be of one that was dropped.
      connection.catalog.forget()
      return this.answer(connection, request, bounds)
    }
  }

  private begin(connection: Connection): void {
    if (this.inTransaction.has(connection)) return
    connection.run('BEGIN')
    try {
      connection.catalog.refresh()
    } catch (error) {
      // Or it would stay open for ever, in the way of the next one.
      if (connection.isInTransaction()) connection.run('ROLLBACK')
      throw error
    }
    this.inTransaction.add(connection)
  }

  private answer(
    connection: Connection,
    request: ReadRequest,
    { isForeground, deadline }: ReadBounds,
  ): unknown {
    if (request.kind === 'collections') return savedCollections(connection)
    if (request.kind === 'size') return measure(connection)
    if (request.kind === 'bin') return binEntries(connection)
    const collection = collectionOf(connection, request)
    if (collection === undefined) return answerWithoutCollection(request)
    switch (request.kind) {
      case 'get':
        return get(connection, collection, request)
      case 'find':
        return {
          ...begin(connection, collection, { ...request, isForeground, deadline }),
          collection: collection.id,
        } satisfies FirstChunk
      case 'scan':
        return scan(connection, collection, { ...request, isForeground, deadline })
      case 'locate':
        return locate(connection, collection, { ...request, isForeground, deadline })
      case 'findRowIds':
        return findRowIds(connection, collection, { ...request, isForeground, deadline })
      case 'fetch':
        return fetch(connection, collection, request)
      case 'count':
        return {
          ...count(connection, collection, { ...request, isForeground, deadline }),
          collection: collection.id,
        } satisfies FirstChunk<CountChunk>
      case 'resumeCount':
        return resumeCount(connection, collection, { ...request, isForeground, deadline })
      default:
        return request satisfies never
    }
  }
}

/** Without those that have indexes alone, for a collection is made by the first save into it. */
function savedCollections(connection: Connection): unknown[] {
  const sql = `SELECT name FROM collections WHERE last_place > 0 AND NOT ${isHidden('name')} ORDER BY name`
  return connection
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0])
}

type CollectionRequest = Exclude<ReadRequest, { kind: 'collections' | 'size' | 'bin' }>

/**
 * The collection that a read is of: the one in which it began, which may have got another name meanwhile; undefined where
 * there is none.
 */
function collectionOf({ catalog }: Connection, request: CollectionRequest): StoredCollection | undefined {
  const begunIn = 'begunIn' in request ? request.begunIn : undefined
  return begunIn === undefined ? catalog.collection(request.collection) : catalog.collectionById(begunIn)
}

function isOverdue(error: unknown): boolean {
  return error instanceof AppError && error.code === 'deadline_exceeded'
}

const NO_DOCUMENTS: ReadPlan = { kind: 'count', examined: 0 }
const NOTHING_SCANNED: ScanChunk = {
  text: '',
  found: 0,
  skipped: 0,
  after: 0,
  done: true,
  plan: NO_DOCUMENTS,
}
const NOTHING_COUNTED: CountChunk = { count: 0, after: 0, done: true, plan: NO_DOCUMENTS }

function answerWithoutCollection(request: CollectionRequest): unknown {
  const lost: Lost = 'begunIn' in request && request.begunIn !== undefined ? { isGone: true } : {}
  switch (request.kind) {
    case 'get':
      return undefined
    case 'find':
      return { ...NOTHING_SCANNED, ...lost, collection: 0 } satisfies FirstChunk
    case 'scan':
      return { ...NOTHING_SCANNED, ...lost } satisfies ScanChunk
    case 'locate':
    case 'findRowIds':
      return { rowIds: new Float64Array(), after: 0, done: true, ...lost } satisfies LocatedChunk
    case 'fetch':
      return { text: '', found: 0, taken: request.rowIds.length, ...lost } satisfies FetchedChunk
    case 'count':
      return { ...NOTHING_COUNTED, collection: 0 } satisfies FirstChunk<CountChunk>
    case 'resumeCount':
      return { ...NOTHING_COUNTED, ...lost } satisfies CountChunk
    default:
      return request satisfies never
  }
}

function begin(
  connection: Connection,
  collection: StoredCollection,
  request: Begun<FindRequest>,
): Continuable<FindChunk> {
  const { after: cursor, ...rest } = request
  if (cursor === undefined) return find(connection, collection, rest)
  return find(connection, collection, { ...rest, after: endOfPage(collection, cursor) })
}

function get(connection: Connection, { byId }: StoredCollection, command: GetCommand): string | undefined {
  for (const id of command.ids) {
    const row = connection.row<[string]>(byId, id)
    if (row !== undefined) return textProjection(command)(row[0])
  }
  return undefined
}
