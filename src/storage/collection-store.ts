import type { CollectionAddress } from './store.ts'

/** For so long a collection can be brought back from the bin; then it is removed with all of its documents. */
export const DROPPED_COLLECTION_MS = 7 * 24 * 60 * 60 * 1000

export interface RenameCommand extends CollectionAddress {
  readonly to: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** Moves a collection to the bin. */
export interface BinCommand extends CollectionAddress {
  /** Who does it, in words. */
  readonly by: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/** A collection in the bin. */
export interface BinEntry {
  /** Of the collection, which keeps it when it is brought back. */
  readonly id: number
  /** As it was called. */
  readonly name: string
  readonly documents: number
  /** Milliseconds since the Unix epoch. */
  readonly droppedAt: number
  readonly by: string
  /** Whether it was dropped, or emptied, so that another one has its name and its indexes. */
  readonly reason: 'drop' | 'empty'
}

/** An entry of an app's bin. */
export interface BinAddress {
  readonly app: string
  readonly id: number
}

export interface RestoreCommand extends BinAddress {
  /** Without it, as it was called. */
  readonly as?: string | undefined
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * What is done to a collection as a whole, whatever its size in a moment: no document is copied or looked at. Reads of it
 * that are under way go on in it, until it is removed: `changed_meanwhile`.
 * @throws AppError `collection_not_found`; `import_under_way` where an import into one of the names is
 */
export interface CollectionStore {
  /**
   * Gives a collection another name. Who has a cursor of it can go on under that one.
   * One without documents that has that name makes room, as `restore` says.
   * @returns how many documents it has
   * @throws AppError `collection_exists`, also where it is called so already
   */
  rename(command: RenameCommand): Promise<number>
  /**
   * Moves a collection to the bin, and makes one like it, with the same indexes and without documents, in its place.
   * @returns undefined where there were no documents, and nothing was done
   */
  empty(command: BinCommand): Promise<BinEntry | undefined>
  /** Moves a collection to the bin, with its indexes. */
  bin(command: BinCommand): Promise<BinEntry>
  /** What is in the bin, the newest first, also for a while what has been there for its time. */
  listBin(app: string): Promise<BinEntry[]>
  /**
   * Brings a collection back, in the place of one without documents where that has its name.
   * @returns what it was
   * @throws AppError `collection_exists` where one has the name that has documents, or indexes made by hand that this one
   * lacks
   */
  restore(command: RestoreCommand): Promise<BinEntry>
  /** Removes a collection from the bin for good. @returns what it was */
  remove(address: BinAddress): Promise<BinEntry>
}
