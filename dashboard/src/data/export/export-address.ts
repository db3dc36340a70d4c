import { type CollectionAddress, documentsPath } from '../documents-api.ts'
import { queryOf, type View } from '../view-url.ts'

export const EXPORT_FORMATS = ['ndjson', 'json', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportChoices {
  readonly format: ExportFormat
  /** Undefined for the whole collection in natural order. */
  readonly view: Pick<View, 'q' | 's' | 'f'> | undefined
  /** Of CSV; undefined for all fields that there are. */
  readonly columns: readonly string[] | undefined
  /** Whether no cell of CSV is a formula to a spreadsheet. */
  readonly isGuarded: boolean
}

/** The address at which the server streams the documents as a file. */
export function exportAddress(
  address: CollectionAddress,
  { format, view, columns, isGuarded }: ExportChoices,
): string {
  const isCsv = format === 'csv'
  const { q, s, f } = queryOf(view ?? { q: '', s: '', f: '' })
  const parameters = new URLSearchParams({
    format,
    ...(q !== undefined && { q }),
    ...(s !== undefined && { s }),
    // What columns name is all of it.
    ...(f !== undefined && !(isCsv && columns) && { f }),
    ...(isCsv && columns && { columns: JSON.stringify(columns) }),
    ...(isCsv && isGuarded && { guard: 'true' }),
  })
  return `/_/api${documentsPath(address)}/export?${parameters}`
}
