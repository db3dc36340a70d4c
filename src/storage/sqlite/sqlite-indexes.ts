import { setTimeout as wait } from 'node:timers/promises'
import type { CollectionBytes } from '../../analytics/pack.ts'
import type { KnownIndex } from '../index-jobs.ts'
import type {
  ExplainCommand,
  Explanation,
  IndexCommand,
  IndexProblem,
  IndexRecord,
  IndexStore,
} from '../index-store.ts'
import type { StoredCollection } from './files/catalog.ts'
import type { Connection } from './files/connection.ts'
import { Connections } from './files/connections.ts'
import { isHidden } from './files/schema.ts'
import { SQLITE_BUSY, sqliteCode } from './files/sqlite-code.ts'
import { dropIndex, type GivenUpIndex, registerIndex, workOnIndexes } from './index/index-work.ts'
import { measureCollections, pagesOf } from './measure-collections.ts'
import type { FindChunk } from './protocol/requests.ts'
import { Reader } from './read/reader.ts'

/** A transaction of the work on indexes, and the pause after it in which others write. */
const SLICE_MS = 10
const PAUSE_MS = 5
/** Slices after which the log is copied into the file, for nothing else may be there to do it. */
const CHECKPOINT_SLICES = 16
/** Kibibytes of pages kept while an index is filled: its entries come in any order. */
const BUILD_CACHE_KIB = 64 * 1024
/** How long to leave alone a file that others keep writing to. */
const BUSY_PAUSE_MS = 200
const EXPLAIN_MS = 60_000

/**
 * The indexes of the embedded store. It writes on connections of its own, beside a running server or without one, and
 * in transactions so short that the writer hardly waits; the server notices what has changed by itself.
 */
export class SqliteIndexes implements IndexStore {
  private readonly connections: Connections
  private readonly buildCacheKib: number

  /** @param pageBytes memory for pages of files while an index is filled; without it as much as is of use */
  constructor({ dataDir, pageBytes = 0 }: { dataDir: string; pageBytes?: number | undefined }) {
    this.buildCacheKib =
      pageBytes === 0 ? BUILD_CACHE_KIB : Math.min(BUILD_CACHE_KIB, Math.ceil((2 * pageBytes) / 1024))
    this.connections = new Connections({ dataDir, mode: 'writer', limit: 1 })
  }

  async createIndex(command: IndexCommand): Promise<void> {
    const { app, collection, name, fields, isUnique, isAutomatic, now } = command
    const index = { collection, name, fields, isUnique, isAutomatic, now }
    await patiently(() => registerIndex(this.connections.to(app), index))
  }

  async dropIndex({ app, ...index }: { readonly app: string } & GivenUpIndex): Promise<void> {
    await patiently(() => dropIndex(this.connections.to(app), index))
  }

  async finishIndexes(app: string, onProgress?: () => void | Promise<void>): Promise<void> {
    const connection = this.connections.to(app)
    connection.execute(`PRAGMA cache_size = -${this.buildCacheKib}`)
    for (let slices = 1; await patiently(() => workOnIndexes(connection, SLICE_MS)); slices++) {
      if (slices % CHECKPOINT_SLICES === 0) connection.row('PRAGMA wal_checkpoint(PASSIVE)')
      await onProgress?.()
      await wait(PAUSE_MS)
    }
  }

  async listIndexes(app: string): Promise<IndexRecord[]> {
    const connection = this.connections.to(app)
    connection.catalog.forget()
    return collectionsOf(connection).flatMap(([name, collection]) => recordsOf(connection, name, collection))
  }

  async countDocuments(app: string): Promise<Map<string, number>> {
    const connection = this.connections.to(app)
    connection.catalog.forget()
    return new Map(
      collectionsOf(connection).map(([name, stored]) => [name, connection.catalog.documentsOf(stored)]),
    )
  }

  /** The indexes of an app, without looking at what they hold. @throws AppError `app_not_found` */
  knownIndexes(app: string): KnownIndex[] {
    const connection = this.connections.to(app)
    connection.catalog.forget()
    return collectionsOf(connection).flatMap(([collection, stored]) => {
      const documents = connection.catalog.documentsOf(stored)
      return connection.catalog.indexesOf(stored).flatMap((index) => {
        const { name, fields, isUnique, isAutomatic, state } = index
        return state === 'dropping'
          ? []
          : [{ collection, name, fields, isUnique, isAutomatic, state, documents }]
      })
    })
  }

  /** How much each collection of an app takes. @throws AppError `app_not_found` */
  measure(app: string): CollectionBytes[] {
    return measureCollections(this.connections.to(app))
  }

  async explain({ app, collection, filter, sort, skip, limit }: ExplainCommand): Promise<Explanation> {
    const reader = new Reader(this.connections)
    const began = performance.now()
    const command = { app, collection, filter, sort, skip, limit, budgetMs: EXPLAIN_MS, isForeground: false }
    try {
      const chunk = reader.handle({ kind: 'find', ...command }) as FindChunk
      const milliseconds = performance.now() - began
      const returned = chunk.found + ('rowIds' in chunk ? chunk.rowIds.length : 0)
      return { plan: chunk.plan, returned, milliseconds, isWhole: 'rowIds' in chunk || chunk.done }
    } finally {
      reader.endBatch()
    }
  }

  async close(): Promise<void> {
    this.connections.closeAll()
  }
}

function collectionsOf(connection: Connection): [string, StoredCollection][] {
  const sql = `SELECT name FROM collections WHERE NOT ${isHidden('name')} ORDER BY name`
  const names = connection.prepare(sql).all() as unknown as [string][]
  return names.map(([name]) => [name, connection.catalog.collection(name)!])
}

function recordsOf(connection: Connection, name: string, collection: StoredCollection): IndexRecord[] {
  const documents = connection.catalog.documentsOf(collection)
  return connection.catalog.indexesOf(collection).flatMap((index) => {
    if (index.state === 'dropping') return []
    const [built] =
      index.state === 'building'
        ? connection.row<[number]>(`SELECT count(*) FROM ${collection.table} WHERE seq <= ?`, index.builtTo)!
        : [documents]
    const [createdAt, problem, collectionNamedAt] = connection.row<[number, string | null, number]>(
      'SELECT i.created_at, i.problem, c.named_at FROM indexes i JOIN collections c ON c.id = i.collection WHERE i.id = ?',
      index.id,
    )!
    return [
      {
        collection: name,
        name: index.name,
        fields: index.fields,
        isUnique: index.isUnique,
        isAutomatic: index.isAutomatic,
        state: index.state,
        documents,
        builtDocuments: index.state === 'failed' ? 0 : built,
        bytes: pagesOf(connection, index.table),
        createdAt,
        collectionNamedAt,
        ...(problem !== null && { problem: JSON.parse(problem) as IndexProblem }),
      },
    ]
  })
}

/** Tries again for as long as others keep the file to themselves. */
async function patiently<Result>(work: () => Result): Promise<Result> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY) throw error
      await wait(BUSY_PAUSE_MS)
    }
  }
}
