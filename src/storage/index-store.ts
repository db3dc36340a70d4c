import type { Filter, SortField } from '../query/ast.ts'
import type { CollectionAddress, ReadReport } from './store.ts'

export interface IndexCommand extends CollectionAddress {
  readonly name: string
  /** From the first to the last; a field's path is dotted. */
  readonly fields: readonly SortField[]
  readonly isUnique: boolean
  /** Whether the service made it by itself. */
  readonly isAutomatic: boolean
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}

export interface IndexRecord {
  readonly collection: string
  readonly name: string
  readonly fields: readonly SortField[]
  readonly isUnique: boolean
  readonly isAutomatic: boolean
  readonly state: 'building' | 'ready' | 'failed'
  readonly documents: number
  /** Of these, the ones that the index holds. */
  readonly builtDocuments: number
  readonly bytes: number
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number
  /**
   * Since when its collection has its name: milliseconds since the Unix epoch, or 0 where it was made with it. How often
   * an index was used is known by that name.
   */
  readonly collectionNamedAt: number
  /** Why a unique index failed. */
  readonly problem?: IndexProblem
}

/** The documents that keep an index from being unique. */
export interface IndexProblem {
  /** Those that have the same value as one before them, or too many values. */
  readonly documents: number
  /** Values and `_id`s as JSON. */
  readonly examples: readonly { readonly value: string; readonly ids: readonly string[] }[]
}

export interface ExplainCommand extends CollectionAddress {
  readonly filter: Filter
  readonly sort: readonly SortField[]
  readonly skip: number
  readonly limit: number
}

export interface Explanation extends ReadReport {
  /** Whether the read was carried out to its end, and not only to its first chunk. */
  readonly isWhole: boolean
}

/** The indexes of an engine. They change no answer, but a unique one refuses writes with `unique_violation`. */
export interface IndexStore {
  /**
   * Registers an index, and its collection where there is none; `finishIndexes` then fills it.
   * @throws AppError `app_not_found`, `index_exists`, `too_many_indexes`
   */
  createIndex(command: IndexCommand): Promise<void>
  /** @throws AppError `app_not_found`, `index_not_found` */
  dropIndex(index: CollectionAddress & { readonly name: string }): Promise<void>
  /** Works on the app's indexes until each of them is ready, failed or gone, while others read and write. */
  finishIndexes(app: string, onProgress?: () => void | Promise<void>): Promise<void>
  /** @throws AppError `app_not_found` */
  listIndexes(app: string): Promise<IndexRecord[]>
  /** How many documents each collection has, by its name. @throws AppError `app_not_found` */
  countDocuments(app: string): Promise<Map<string, number>>
  /** Carries a read out and tells how. @throws AppError `app_not_found`, `deadline_exceeded` */
  explain(command: ExplainCommand): Promise<Explanation>
  close(): Promise<void>
}
