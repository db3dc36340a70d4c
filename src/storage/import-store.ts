import type { OnConflict } from '../domain/on-conflict.ts'
import type { AppError } from '../errors.ts'
import type { PackedDocuments } from './packed.ts'
import type { CollectionAddress } from './store.ts'

export interface ImportCommand extends CollectionAddress {
  readonly onConflict: OnConflict
  /** Whether documents that are refused are told of and left out; else the first of them ends the import. */
  readonly skipsRefused: boolean
  /**
   * Told of each document that is left out, by its number in the import, from 0. They come in any order, also while
   * `finish` is at work.
   */
  readonly onRefused?: (document: number, error: AppError) => void
}

export interface ImportCounts {
  readonly created: number
  /** Also those that came in the place of one before them in the same import. */
  readonly replaced: number
  readonly skipped: number
  readonly refused: number
}

/**
 * An import on its way: all of it is there at once, or nothing. One whose call failed is over, and has left nothing.
 * @throws AppError `document_exists`, `unique_violation`, `too_many_values` with the number of the document that was
 * refused as `documentIndex`; and what other writes throw
 */
export interface StagedImport {
  /** Takes documents, which nobody sees yet. Resolves when more may come; to be waited for before it is called again. */
  add(documents: PackedDocuments): Promise<void>
  /** Shows them all at once, durably. */
  finish(): Promise<ImportCounts>
  /** Leaves nothing of it. */
  discard(): Promise<void>
}
