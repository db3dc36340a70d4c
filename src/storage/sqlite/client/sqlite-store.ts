import type { Directory, DocumentStore } from '../../store.ts'
import type { LeftWork } from '../index/left-work.ts'
import type { SharedStore } from '../threads/storage-threads.ts'

export interface SqliteStore extends DocumentStore {
  /** The apps and keys as they were when they could be read last, which is a second ago at most. */
  directory(): Directory
  /**
   * The same to check credentials by.
   * @throws AppError `store_unavailable` where they could not be read for five seconds
   */
  currentDirectory(): Directory
  /** Resolves when the directory holds every change that was made before the call. */
  refreshDirectory(): Promise<void>
  /**
   * Writes down when keys were last used: milliseconds since the Unix epoch by the key's id. Meant to be called about
   * once a minute, for it costs a write to the disk.
   */
  recordKeyUses(uses: ReadonlyMap<string, number>): Promise<void>
  /**
   * Takes away, by and by, what imports have left behind in an app, what was removed from its bin and what has been there
   * for its time. It resolves when that is done, or can't be: what is left then is for the next time.
   */
  sweepCollections(app: string): Promise<void>
  /** What is to be done in an app that no request asks for. */
  leftWork(app: string): Promise<LeftWork>
}

/** The store of the thread that opened it; closing it ends the storage threads. */
export interface OpenedSqliteStore extends SqliteStore {
  /**
   * Lets one more thread use the store, by `joinSqliteStore`; it has to leave before this one closes.
   * @param sharers how many threads keep what they read, and divide the room for that
   */
  share(sharers: number): SharedStore
  /** Closes files of apps, for the process has too many open; they are opened again as they are needed. */
  releaseFiles(): void
}
