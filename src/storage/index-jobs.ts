import type { IndexCommand, IndexRecord } from './index-store.ts'
import type { CollectionAddress } from './store.ts'

/** An index without what would have to be counted. */
export type KnownIndex = Omit<IndexRecord, 'builtDocuments' | 'bytes' | 'problem'>

/** Work on indexes that a server has done beside its requests. One job at a time. */
export interface IndexJobs {
  /** Finishes what was left unfinished in these apps. @returns the automatic indexes by their apps */
  finishAll(apps: readonly string[]): Promise<ReadonlyMap<string, readonly KnownIndex[]>>
  /** @throws AppError `app_not_found` */
  list(app: string): Promise<readonly KnownIndex[]>
  /** Makes an index, and resolves when it is ready. @throws AppError as `IndexStore.createIndex` does */
  create(command: IndexCommand): Promise<void>
  /** @throws AppError as `IndexStore.dropIndex` does */
  drop(index: CollectionAddress & { readonly name: string }): Promise<void>
  /** Stops between two transactions; what is unfinished is finished after the next start. */
  close(): Promise<void>
}
