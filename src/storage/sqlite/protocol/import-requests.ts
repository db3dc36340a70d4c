import type { ImportCommand, ImportCounts } from '../../import-store.ts'
import type { PackedDocuments } from '../../packed.ts'
import type { Failure } from './failures.ts'

/** What becomes of documents that can't be saved as they are. */
export type ImportTerms = Pick<ImportCommand, 'onConflict' | 'skipsRefused'>

/** Steps of imports, each of them a transaction that takes little time. */
export type ImportRequest = { readonly kind: 'import'; readonly app: string } & (
  | WholeImport
  | BeginImport
  | AddToImport
  | FinishImport
  | DiscardImport
)

/** A small import in one go. Answered with an `ImportResult`. */
export interface WholeImport extends ImportTerms {
  readonly step: 'whole'
  readonly collection: string
  readonly documents: readonly PackedDocuments[]
}

/** Makes a staging collection, and answers its number, by which the other steps name the import. */
export interface BeginImport {
  readonly step: 'begin'
  readonly collection: string
}

/** Answered with an `AddedDocuments`. */
export interface AddToImport extends ImportTerms {
  readonly step: 'add'
  readonly staging: number
  readonly documents: PackedDocuments
}

/** Does a part of what is left to do, and answers an `ImportResult`, where all is done with its counts. */
export interface FinishImport extends ImportTerms {
  readonly step: 'finish'
  readonly staging: number
  readonly collection: string
}

/** What was staged is swept away by and by. */
export interface DiscardImport {
  readonly step: 'discard'
  readonly staging: number
}

/** The documents that were left out, by their numbers. */
export type Refusals = readonly (readonly [document: number, failure: Failure])[]

export interface AddedDocuments {
  /** How many of the documents were taken, from the first one on; none while the target is still being copied. */
  readonly taken: number
  readonly refusals: Refusals
}

export interface ImportResult {
  readonly counts?: ImportCounts
  readonly refusals: Refusals
}
