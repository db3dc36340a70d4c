import type { MessagePort } from 'node:worker_threads'
import type { Limits } from '../../../domain/limits.ts'
import { type MemoryShares, UNBOUNDED_MEMORY } from '../../../domain/memory.ts'
import { type SharedMemory, unboundedMemory } from '../../../shared-memory/memory-budget.ts'
import { createSeqlockCells, type SeqlockCells, SeqlockTable } from '../protocol/seqlock-table.ts'
import { type GiveEndpoint, StorageThread } from './storage-thread.ts'
import { MOST_CLIENTS, RELEASE } from './thread-protocol.ts'

export interface SqliteStoreOptions {
  readonly dataDir: string
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** Apps whose files each thread keeps open; 64 without it. */
  readonly openApps?: number
  /** What all that clients have under way may take; without it there is no bound. */
  readonly memory?: SharedMemory
  /** How what is kept is bounded; without it as where there is plenty of memory. */
  readonly memoryShares?: MemoryShares
  /** Threads that answer what takes a few milliseconds, and threads for what takes longer. */
  readonly foregroundThreads: number
  readonly backgroundThreads: number
  /** Told of what went wrong inside, for the log. */
  readonly onFailure: (error: unknown) => void
  /** Told of each app or key that can't be read, in a line for the log. */
  readonly onDamage?: (line: string) => void
}

const OPEN_APPS = 64

/** Which thread is which, in `StoreAccess.waiting` and in endpoints: behind these come the background readers. */
export const WRITER = 0
export const FIRST_FOREGROUND_READER = 1

/** What a client of the storage threads has to know, beside its endpoints. */
export interface StoreAccess {
  /** The client's own number. */
  readonly client: number
  readonly limits: Limits
  readonly foregroundThreads: number
  /** For each storage thread, how many requests of all clients wait for it. */
  readonly waiting: Int32Array<SharedArrayBuffer>
  /** By which the writer says what it changes. */
  readonly versions: SeqlockCells
  readonly memory: SharedMemory
  readonly memoryShares: MemoryShares
  /** How many clients keep what they read, this one included. */
  readonly sharers: number
}

/** The same for a client on another thread. `port` is to be transferred; `JoinedMessage`s come by it. */
export interface SharedStore extends StoreAccess {
  readonly port: MessagePort
  /** Of a `DirectoryAge`. */
  readonly directoryAge: Int32Array<SharedArrayBuffer>
}

/** The threads of the embedded store, and who may use them: one that writes, some for the foreground, some for the background. */
export class StorageThreads {
  private readonly threads: readonly StorageThread[]
  private readonly access: Omit<StoreAccess, 'client' | 'sharers'>
  private readonly versions: SeqlockTable
  /** Writer threads that were replaced and have not ended yet. */
  private endingWriters = 0
  private invalidated = 0
  private clients = 0

  constructor(options: SqliteStoreOptions) {
    const { dataDir, limits, serviceNames, foregroundThreads, backgroundThreads, onFailure } = options
    const { openApps = OPEN_APPS, memory = unboundedMemory(), memoryShares = UNBOUNDED_MEMORY } = options
    const versions = createSeqlockCells()
    this.versions = new SeqlockTable(versions)
    const settings = { dataDir, limits, serviceNames, openApps, pageBytes: memoryShares.pageBytes, versions }
    const onScarce = (): void => this.releaseFiles()
    const writer = new URL('./writer-thread.ts', import.meta.url)
    const reader = new URL('./reader-thread.ts', import.meta.url)
    const readers = foregroundThreads + backgroundThreads
    const files = [writer, ...Array.from({ length: readers }, () => reader)]
    this.threads = files.map((file, thread) => {
      const isLowPriority = thread >= FIRST_FOREGROUND_READER + foregroundThreads
      const common = {
        file,
        settings: { ...settings, isLowPriority },
        thread,
        heap: memoryShares.heap,
        onFailure,
        onScarce,
      }
      if (thread !== WRITER) return new StorageThread(common)
      return new StorageThread({ ...common, onReplace: (ended) => this.invalidateUntil(ended) })
    })
    const waiting = new Int32Array(new SharedArrayBuffer(4 * files.length))
    this.access = { limits, foregroundThreads, versions, waiting, memory, memoryShares }
  }

  /** Resolves when all of them have opened what they need. */
  async ready(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.ready))
  }

  /** What one more client needs, before it is connected. */
  newAccess(sharers: number): StoreAccess {
    const client = this.clients++
    if (client >= MOST_CLIENTS) throw new RangeError(`the store has ${MOST_CLIENTS} clients already`)
    return { ...this.access, client, sharers }
  }

  /** Connects a client: `giveEndpoint` is called for each storage thread, and later for each that is replaced. */
  connect(client: number, giveEndpoint: GiveEndpoint): void {
    for (const thread of this.threads) thread.connect(client, giveEndpoint)
  }

  /** Tells them which apps there are, so that they let go of the others. */
  keepApps(apps: readonly string[]): void {
    for (const thread of this.threads) thread.tell({ apps })
  }

  /** Closes the files of all apps but those that are in use at this moment; they are opened again as they are needed. */
  releaseFiles(): void {
    for (const thread of this.threads) thread.tell(RELEASE)
  }

  /** SQLite removes a write-ahead log with its last connection, but not where two are closed at the same time. */
  async close(): Promise<void> {
    const [writer, ...readers] = this.threads
    await Promise.all(readers.map((thread) => thread.close()))
    await writer!.close()
  }

  /** A writer that was replaced may yet commit, and end before it says so. */
  private invalidateUntil(ended: Promise<unknown>): void {
    this.invalidated = this.versions.invalidateAll()
    this.endingWriters++
    void ended.then(() => {
      if (--this.endingWriters === 0) this.threads[WRITER]!.tell({ revalidate: this.invalidated })
    })
  }
}
