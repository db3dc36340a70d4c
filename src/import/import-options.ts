/** What a file that is imported is written in. */
export const IMPORT_FORMATS = ['ndjson', 'json', 'csv'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** What becomes of the cells of a column. */
export const COLUMN_TYPES = ['auto', 'text', 'number', 'boolean', 'json'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export const DELIMITERS = [',', ';', '\t'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** How a file is read. */
export interface ImportOptions {
  readonly format: ImportFormat
  /** Whether JSON is MongoDB's extended JSON. */
  readonly isExtended: boolean
  /** Of columns by their names; those that aren't named are `auto`. */
  readonly types: ReadonlyMap<string, ColumnType>
  /** Of the cells of a row; the header tells where it isn't said. */
  readonly delimiter?: Delimiter | undefined
}
