import type { MessagePort } from 'node:worker_threads'
import { AppError } from '../../../errors.ts'
import type { CollectionStore } from '../../collection-store.ts'
import type { ExportCommand, ListFieldsCommand } from '../../export-store.ts'
import type { ImportCommand, StagedImport } from '../../import-store.ts'
import type {
  AppSize,
  CollectionAddress,
  CountCommand,
  DeleteManyCommand,
  DeleteOneCommand,
  Directory,
  FindCommand,
  FindResult,
  GetCommand,
  Packable,
  PackableSave,
  SavedDocument,
  UpdatedDocument,
  UpdateManyCommand,
  UpdateManyResult,
  UpdateOneCommand,
} from '../../store.ts'
import { openControlFile } from '../control/control-file.ts'
import { DirectoryAge } from '../control/directory-age.ts'
import { DirectoryWatch } from '../control/directory-watch.ts'
import type { LeftWork } from '../index/left-work.ts'
import { errorOf } from '../protocol/failures.ts'
import type { DeleteManyRequest, UpdateManyRequest } from '../protocol/requests.ts'
import {
  FIRST_FOREGROUND_READER,
  type SharedStore,
  type SqliteStoreOptions,
  StorageThreads,
  type StoreAccess,
  WRITER,
} from '../threads/storage-threads.ts'
import type { ThreadEndpoint } from '../threads/thread-protocol.ts'
import { beginImport } from './begin-import.ts'
import { countInChunks, findInChunks, type ReadAllowance, readAllowance } from './chunked-find.ts'
import { clientCollections } from './client-collections.ts'
import { type JoinedMessage, JoinedThreads, REFRESH } from './joined-threads.ts'
import { listFields } from './list-fields.ts'
import { ReadCache } from './read-cache.ts'
import { readLines } from './read-lines.ts'
import { searchThenWrite } from './search-then-write.ts'
import type { OpenedSqliteStore, SqliteStore } from './sqlite-store.ts'
import { sweepCollections } from './sweep-collections.ts'
import { leastLoaded, type ThreadClient, threadClients } from './thread-client.ts'

/**
 * Opens the embedded store of a data folder.
 * @throws AppError `data_folder_unusable`
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenedSqliteStore> {
  const watch = new DirectoryWatch(await openControlFile(options.dataDir), options)
  const threads = new StorageThreads(options)
  try {
    const store = new OwningStore(threads, watch)
    await store.opened
    return store
  } catch (error) {
    watch.close()
    await threads.close()
    throw error
  }
}

/** Uses the store that another thread has opened. */
export async function joinSqliteStore(shared: SharedStore): Promise<SqliteStore> {
  const store = new JoinedStore(shared)
  await store.opened
  return store
}

/** The store as one thread uses it; those who extend it connect it to the storage threads. */
abstract class ThreadedStore implements SqliteStore {
  readonly collections: CollectionStore
  protected readonly clients: readonly ThreadClient[]
  /** For each request that takes long. */
  private readonly allowance: ReadAllowance
  private readonly readers: { foreground(): ThreadClient; background(): ThreadClient }
  private readonly cache: ReadCache
  private readonly firstDirectory = Promise.withResolvers<void>()
  private readonly checkAge: () => void
  private current: Directory | undefined

  constructor(access: StoreAccess, checkAge: () => void) {
    const { client, limits, foregroundThreads, waiting, versions, sharers } = access
    this.checkAge = checkAge
    this.allowance = readAllowance(access)
    this.cache = new ReadCache(versions, { sharers, mostBytes: access.memoryShares.readCacheBytes })
    const { queuedRequests } = limits
    this.clients = threadClients({ client, waiting, queuedRequests, writer: WRITER })
    const firstBackgroundReader = FIRST_FOREGROUND_READER + foregroundThreads
    const foreground = this.clients.slice(FIRST_FOREGROUND_READER, firstBackgroundReader)
    const background = this.clients.slice(firstBackgroundReader)
    this.readers = { foreground: () => leastLoaded(foreground), background: () => leastLoaded(background) }
    this.collections = clientCollections({ writer: this.writer, reader: this.readers.background })
  }

  /** Resolves when the directory is known. */
  get opened(): Promise<void> {
    return this.firstDirectory.promise
  }

  abstract refreshDirectory(): Promise<void>

  abstract close(): Promise<void>

  directory(): Directory {
    if (this.current === undefined) throw new AppError('store_unavailable', 'the store is not open yet')
    return this.current
  }

  currentDirectory(): Directory {
    this.checkAge()
    return this.directory()
  }

  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<void> {
    return this.writer.call({ kind: 'recordKeyUses', app: '', uses })
  }

  leftWork(app: string): Promise<LeftWork> {
    return this.readers.background().call({ kind: 'leftWork', app })
  }

  listCollections(app: string): Promise<string[]> {
    return this.readers.foreground().call({ kind: 'collections', app })
  }

  measureApp(app: string): Promise<AppSize> {
    return this.readers.background().call({ kind: 'size', app })
  }

  getDocument(command: GetCommand): string | undefined | Promise<string | undefined> {
    const read = (): Promise<string | undefined> =>
      this.readers.foreground().call({ kind: 'get', ...command })
    return command.projection === undefined ? this.cache.document(command, read) : read()
  }

  findDocuments(command: FindCommand): FindResult | Promise<FindResult> {
    return this.cache.list(command, () => findInChunks(this.readers, command, this.allowance))
  }

  exportDocuments({ format: lines, ...command }: ExportCommand): AsyncIterable<string> {
    return readLines(this.readers, { ...command, lines }, this.allowance)
  }

  listFields(command: ListFieldsCommand): Promise<string[] | undefined> {
    return listFields(this.readers, command, this.allowance)
  }

  countDocuments(command: CountCommand): number | Promise<number> {
    return this.cache.count(command, () => countInChunks(this.readers, command, this.allowance))
  }

  saveDocuments(command: PackableSave): Promise<readonly SavedDocument[]> {
    return this.writer.call({ kind: 'save', ...command })
  }

  updateDocument(command: Packable<UpdateOneCommand>): Promise<UpdatedDocument> {
    return this.writer.call({ kind: 'updateOne', ...command })
  }

  updateDocuments({ isCancelled, ...command }: Packable<UpdateManyCommand>): Promise<UpdateManyResult> {
    return this.searchThenWrite({ kind: 'updateMany', ...command }, isCancelled)
  }

  deleteDocument(command: DeleteOneCommand): Promise<string | undefined> {
    return this.writer.call({ kind: 'deleteOne', ...command })
  }

  deleteDocuments({ isCancelled, ...command }: DeleteManyCommand): Promise<number> {
    return this.searchThenWrite({ kind: 'deleteMany', ...command }, isCancelled)
  }

  async beginImport(command: ImportCommand): Promise<StagedImport> {
    return beginImport({ writer: this.writer, ...this.allowance }, command)
  }

  sweepCollections(app: string): Promise<void> {
    return sweepCollections(this.writer, app)
  }

  dropCollection(address: CollectionAddress): Promise<boolean> {
    return this.writer.call({ kind: 'drop', ...address })
  }

  protected connect(endpoint: ThreadEndpoint): void {
    this.clients[endpoint.thread]!.connect(endpoint)
  }

  protected takeDirectory(directory: Directory): void {
    this.current = directory
    this.cache.keepOnly(new Set(appsOf(directory)))
    this.firstDirectory.resolve()
  }

  private searchThenWrite<Result>(
    request: UpdateManyRequest | DeleteManyRequest,
    isCancelled: (() => boolean) | undefined,
  ): Promise<Result> {
    const threads = { writer: this.writer, reader: this.readers.background() }
    return searchThenWrite(threads, request, { ...this.allowance, isCancelled })
  }

  private get writer(): ThreadClient {
    return this.clients[WRITER]!
  }
}

/** The store of the thread that started the storage threads. */
class OwningStore extends ThreadedStore implements OpenedSqliteStore {
  private readonly threads: StorageThreads
  private readonly watch: DirectoryWatch
  private readonly joined = new JoinedThreads(() => this.watch.poll())

  constructor(threads: StorageThreads, watch: DirectoryWatch) {
    const access = threads.newAccess(1)
    super(access, () => watch.checkAge())
    this.threads = threads
    this.watch = watch
    threads.connect(access.client, (endpoint) => this.connect(endpoint))
    watch.start((directory) => this.takeDirectory(directory))
  }

  override get opened(): Promise<void> {
    return Promise.all([this.threads.ready(), super.opened]).then(() => undefined)
  }

  async refreshDirectory(): Promise<void> {
    this.watch.poll()
  }

  share(sharers: number): SharedStore {
    const access = this.threads.newAccess(sharers)
    const { give, end } = this.joined.add(this.directory())
    this.threads.connect(access.client, give)
    return { ...access, port: end, directoryAge: this.watch.age.cell }
  }

  releaseFiles(): void {
    this.threads.releaseFiles()
  }

  async close(): Promise<void> {
    this.watch.close()
    for (const client of this.clients) client.finish()
    await this.threads.close()
    for (const client of this.clients) client.close()
  }

  protected override takeDirectory(directory: Directory): void {
    super.takeDirectory(directory)
    this.threads.keepApps(appsOf(directory))
    this.joined.tell(directory)
  }
}

/** The store of any other thread. */
class JoinedStore extends ThreadedStore {
  private readonly port: MessagePort
  /** Those who wait for the directory to be as it is now, in their order. */
  private readonly refreshes: PromiseWithResolvers<void>[] = []

  constructor({ port, directoryAge, ...access }: SharedStore) {
    const age = new DirectoryAge(directoryAge)
    super(access, () => age.check())
    this.port = port
    port.on('message', (message: JoinedMessage) => this.take(message))
  }

  refreshDirectory(): Promise<void> {
    const refresh = Promise.withResolvers<void>()
    this.refreshes.push(refresh)
    this.port.postMessage(REFRESH)
    return refresh.promise
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.finish()
    for (const client of this.clients) client.close()
    this.port.close()
    for (const { reject } of this.refreshes.splice(0))
      reject(new AppError('store_unavailable', 'the server is stopping'))
  }

  private take(message: JoinedMessage): void {
    if ('port' in message) this.connect(message)
    else if ('directory' in message) this.takeDirectory(message.directory)
    else if (message.failure === undefined) this.refreshes.shift()?.resolve()
    else this.refreshes.shift()?.reject(errorOf(message.failure))
  }
}

const appsOf = ({ apps }: Directory): string[] => [...apps.values()].map((app) => app.id)
