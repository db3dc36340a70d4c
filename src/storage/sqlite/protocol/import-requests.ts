import type { ImportCommand, ImportCounts } from '../../import-store.ts'
import type { PackedDocuments } from '../../packed.ts'
import type { Failure } from './failures.ts'

/** What an import asks of the writer with each of its requests. */
type ImportTerms = Pick<ImportCommand, 'app' | 'collection' | 'onConflict' | 'skipsRefused'>

/** Carries out an import in one go. */
export interface ImportRequest extends ImportTerms {
  readonly kind: 'import'
  readonly documents: readonly PackedDocuments[]
}

/** The documents that were left out, by their numbers. */
export type Refusals = readonly (readonly [document: number, failure: Failure])[]

export interface ImportResult {
  readonly counts: ImportCounts
  readonly refusals: Refusals
}
