import type { IndexCommand, IndexRecord } from './index-store.ts'
import type { CollectionAddress } from './store.ts'

/** An index without what would have to be counted, or is told of it alone. */
export type KnownIndex = Omit<
  IndexRecord,
  'builtDocuments' | 'bytes' | 'createdAt' | 'collectionNamedAt' | 'problem'
>

/** What advice on indexes goes by. */
export interface KnownIndexes {
  readonly indexes: readonly KnownIndex[]
  /** How many documents each collection has, by its name. */
  readonly documents: ReadonlyMap<string, number>
}

export interface FinishedIndexes {
  /** The automatic indexes, by their apps. */
  readonly automatic: ReadonlyMap<string, readonly KnownIndex[]>
  /** Why apps could not be worked on; one keeps none of the others from being finished. */
  readonly failures: readonly Error[]
}

/** Indexes as somebody changes them who waits for no more than that it has begun. */
export interface IndexRegistry {
  /** @throws AppError `app_not_found` */
  list(app: string): Promise<readonly IndexRecord[]>
  /** Without what takes longer the more there is. @throws AppError `app_not_found` */
  known(app: string): Promise<KnownIndexes>
  /** Begins to make an index. @throws AppError as `IndexStore.createIndex` does */
  create(command: IndexCommand): Promise<void>
  /** @throws AppError as `IndexStore.dropIndex` does */
  drop(index: CollectionAddress & { readonly name: string }): Promise<void>
}

/** Work on indexes that a server has done beside its requests. One job at a time. */
export interface IndexJobs {
  /** Finishes what was left unfinished in these apps; one may have been deleted meanwhile. */
  finishAll(apps: readonly string[]): Promise<FinishedIndexes>
  /** @throws AppError `app_not_found` */
  list(app: string): Promise<readonly KnownIndex[]>
  /** Makes an index, and resolves when it is ready. @throws AppError as `IndexStore.createIndex` does */
  create(command: IndexCommand): Promise<void>
  /** Drops an index that the service made. @throws AppError as `IndexStore.dropIndex` does, also for any other */
  drop(index: CollectionAddress & { readonly name: string }): Promise<void>
  /** Stops between two transactions; what is unfinished is finished after the next start. */
  close(): Promise<void>
}
