import type { FindCommand } from './store.ts'

/** How a document is written that is exported: its own text, or a row of CSV (RFC 4180). */
export type ExportFormat =
  | { readonly kind: 'ndjson' }
  | {
      readonly kind: 'csv'
      /** Fields at the top of a document, in the order of the cells. */
      readonly columns: readonly string[]
      /** Whether a document with another field is refused, instead of that being left out. */
      readonly isWhole: boolean
      /** Whether texts that a spreadsheet would take for formulas get an apostrophe. */
      readonly isGuarded: boolean
    }

/** Everything that matches, in natural order where no sort says another. */
export interface ExportCommand
  extends Pick<FindCommand, 'app' | 'collection' | 'filter' | 'sort' | 'projection' | 'isCancelled'> {
  readonly format: ExportFormat
}

export interface ListFieldsCommand extends Omit<ExportCommand, 'format'> {
  /** How many names there may be, and UTF-16 units of them together. */
  readonly most: { readonly names: number; readonly units: number }
}

/** What every engine does to take documents out, with what `DocumentStore` throws of reads. */
export interface ExportStore {
  /**
   * A line for each document, in chunks of whole lines, each read when it is asked for. It ends when all of them were told,
   * and throws otherwise: also `changed_meanwhile`, where the collection was removed with its documents or a field came that has no column.
   */
  exportDocuments(command: ExportCommand): AsyncIterable<string>
  /**
   * The names of the fields at the top of documents that an export would tell, in the order in which they are met;
   * undefined as soon as there are more than may be.
   */
  listFields(command: ListFieldsCommand): Promise<string[] | undefined>
}
