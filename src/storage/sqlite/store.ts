import type { Limits } from '../../domain/limits.ts'
import { AppError } from '../../errors.ts'
import type { Filter } from '../../query/ast.ts'
import type {
  CollectionAddress,
  CountCommand,
  DeleteManyCommand,
  DeleteOneCommand,
  Directory,
  DocumentStore,
  FindCommand,
  FindResult,
  GetCommand,
  SaveCommand,
  SavedDocument,
  UpdatedDocument,
  UpdateManyCommand,
  UpdateManyResult,
  UpdateOneCommand,
} from '../store.ts'
import { AnswerCache } from './answer-cache.ts'
import { namesIds } from './compile-filter.ts'
import { DocumentCache } from './document-cache.ts'
import { countByPieces, findByPieces } from './find-by-pieces.ts'
import { StorageThread } from './threads.ts'
import { createVersionCells, VersionTable } from './version-table.ts'

/** Bytes of whole answers that are kept in all, and in one of them at most. */
const KEPT_LISTS = { size: 32 * 1024 * 1024, values: 10_000 }
const LIST_BYTES = 1024 * 1024
/** Units of text. */
const LONG_LIST_LENGTH = 16 * 1024
/** What a count takes, beside the question. */
const COUNT_BYTES = 100
const KEPT_COUNTS = { size: 2 * 1024 * 1024, values: 10_000 }

export interface SqliteStoreOptions {
  readonly dataDir: string
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** Threads for reads that may take long; one more answers those that are quick. */
  readonly scanThreads: number
  /** Told of what went wrong inside, for the log. */
  readonly onFailure: (error: unknown) => void
}

export interface SqliteStore extends DocumentStore {
  /** The apps and keys as they were at most a second ago. */
  directory(): Directory
  /** Resolves when the directory holds every change that was made before the call. */
  refreshDirectory(): Promise<void>
  /**
   * Writes down when keys were last used: milliseconds since the Unix epoch by the key's id. Meant to be called about
   * once a minute, for it costs a write to the disk.
   */
  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<void>
}

/**
 * Opens the embedded store of a data folder: one thread that writes, one for quick reads, the rest for scans.
 * @throws AppError `data_folder_unusable`
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const store = new ThreadedStore(options)
  await store.opened
  return store
}

class ThreadedStore implements SqliteStore {
  readonly opened: Promise<void>
  private readonly limits: Limits
  private readonly writer: StorageThread
  private readonly quickReader: StorageThread
  private readonly scanReaders: readonly StorageThread[]
  private readonly versions: VersionTable
  private readonly documents: DocumentCache
  private readonly lists: AnswerCache<FindResult>
  private readonly counts: AnswerCache<number>
  /** Writer threads that were replaced and have not ended yet. */
  private endingWriters = 0
  private distrusted = 0
  private current: Directory | undefined

  constructor({ dataDir, limits, serviceNames, scanThreads, onFailure }: SqliteStoreOptions) {
    this.limits = limits
    const versions = createVersionCells()
    this.versions = new VersionTable(versions)
    this.documents = new DocumentCache(this.versions)
    this.lists = new AnswerCache({ versions: this.versions, toKeep: listToKeep, ...KEPT_LISTS })
    this.counts = new AnswerCache({ versions: this.versions, toKeep: countToKeep, ...KEPT_COUNTS })
    const settings = { dataDir, limits, serviceNames, versions }
    const reader = (): StorageThread =>
      new StorageThread({
        file: new URL('./reader-thread.ts', import.meta.url),
        settings,
        repeatable: true,
        onFailure,
      })
    this.writer = new StorageThread({
      file: new URL('./writer-thread.ts', import.meta.url),
      settings,
      repeatable: false,
      onEvent: (event) => {
        if (event.event === 'directory') this.takeDirectory(event.directory)
      },
      onReplace: (ended) => this.distrustUntil(ended),
      onFailure,
    })
    this.quickReader = reader()
    this.scanReaders = Array.from({ length: scanThreads }, reader)
    this.opened = Promise.all(this.threads().map((thread) => thread.ready)).then(() => undefined)
  }

  directory(): Directory {
    if (this.current === undefined) throw new AppError('store_unavailable', 'the store is not open yet')
    return this.current
  }

  refreshDirectory(): Promise<void> {
    return this.writer.call({ kind: 'refreshDirectory', app: '' })
  }

  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<void> {
    return this.writer.call({ kind: 'recordKeyUses', app: '', uses })
  }

  listCollections(app: string): Promise<string[]> {
    return this.quickReader.call({ kind: 'collections', app })
  }

  getDocument(command: GetCommand): string | undefined | Promise<string | undefined> {
    const read = (): Promise<string | undefined> => this.quickReader.call({ kind: 'get', ...command })
    return command.projection === undefined ? this.documents.get(command, read) : read()
  }

  findDocuments(command: FindCommand): FindResult | Promise<FindResult> {
    const { asked, skip, limit } = command
    const question = asked === undefined ? undefined : `${skip},${limit},${asked}`
    return this.lists.get(command, question, () =>
      findByPieces(this.readerFor(command.filter), command, this.limits.queryDeadlineMs),
    )
  }

  countDocuments(command: CountCommand): number | Promise<number> {
    return this.counts.get(command, command.asked, () =>
      countByPieces(this.readerFor(command.filter), command, this.limits.queryDeadlineMs),
    )
  }

  saveDocuments(command: SaveCommand): Promise<readonly SavedDocument[]> {
    return this.writer.call({ kind: 'save', ...command })
  }

  updateDocument(command: UpdateOneCommand): Promise<UpdatedDocument> {
    return this.writer.call({ kind: 'updateOne', ...command })
  }

  updateDocuments(command: UpdateManyCommand): Promise<UpdateManyResult> {
    return this.writer.call({ kind: 'updateMany', ...command })
  }

  deleteDocument(command: DeleteOneCommand): Promise<string | undefined> {
    return this.writer.call({ kind: 'deleteOne', ...command })
  }

  deleteDocuments(command: DeleteManyCommand): Promise<number> {
    return this.writer.call({ kind: 'deleteMany', ...command })
  }

  dropCollection(address: CollectionAddress): Promise<boolean> {
    return this.writer.call({ kind: 'drop', ...address })
  }

  async close(): Promise<void> {
    await Promise.all(this.threads().map((thread) => thread.close()))
  }

  /** Reads that the index on ids answers are never behind a scan. */
  private readerFor(filter: Filter): StorageThread {
    if (namesIds(filter)) return this.quickReader
    return this.scanReaders.reduce((least, thread) => (thread.load < least.load ? thread : least))
  }

  private takeDirectory(directory: Directory): void {
    this.current = directory
    const apps = [...directory.apps.values()].map((app) => app.id)
    for (const cache of [this.documents, this.lists, this.counts]) cache.keepOnly(new Set(apps))
    for (const thread of [this.quickReader, ...this.scanReaders]) thread.tell({ apps })
  }

  /** A writer that was replaced may yet commit, and end before it says so. */
  private distrustUntil(ended: Promise<unknown>): void {
    this.distrusted = this.versions.distrust()
    this.endingWriters++
    void ended.then(() => {
      if (--this.endingWriters === 0) this.writer.tell({ settle: this.distrusted })
    })
  }

  private threads(): StorageThread[] {
    return [this.writer, this.quickReader, ...this.scanReaders]
  }
}

/** A long text as bytes, which are written to a socket as they are; a short one goes well with its head. */
function listToKeep({ first, rest }: FindResult): { value: FindResult; size: number } | undefined {
  if (rest !== undefined || first.length > LIST_BYTES) return undefined
  if (first.length < LONG_LIST_LENGTH) return { value: { first }, size: 2 * first.length }
  const bytes = typeof first === 'string' ? Buffer.from(first) : first
  return bytes.length <= LIST_BYTES ? { value: { first: bytes }, size: bytes.length } : undefined
}

function countToKeep(value: number): { value: number; size: number } {
  return { value, size: COUNT_BYTES }
}
