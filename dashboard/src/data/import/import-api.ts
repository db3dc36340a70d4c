import type { OnConflict } from '../../../../src/domain/on-conflict.ts'
import type { ColumnType, Delimiter, ImportFormat } from '../../../../src/import/import-options.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import { ApiError, fetchApi } from '../../api.ts'
import { type FileToSend, sendFile } from '../../send-file.ts'
import { IMPORT_TEXTS } from '../../texts/import.ts'
import { type CollectionAddress, documentsPath } from '../documents-api.ts'

export const ON_CONFLICT = ['fail', 'skip', 'replace'] as const satisfies readonly OnConflict[]

/** By their media types. */
const TYPES: Readonly<Record<ImportFormat, string>> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
}

/** How a file is read. */
export interface FileReading {
  /** Undefined where the server is to see that by itself. */
  readonly format: ImportFormat | undefined
  /** Whether it is MongoDB's extended JSON. */
  readonly isExtended: boolean
  /** Of CSV; undefined as above. */
  readonly delimiter: Delimiter | undefined
  /** Of columns by their names; `auto` of all others. */
  readonly types: ReadonlyMap<string, ColumnType>
}

/** What is wrong with a line of a file. */
export interface LineError {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export interface PreviewColumn {
  readonly name: string
  /** What the cells of the beginning are, as they are read; `auto` where they differ. */
  readonly guessed: ColumnType
}

/** What the beginning of a file would become. */
export interface ImportPreview {
  readonly format: ImportFormat
  readonly delimiter?: Delimiter
  /** Of a CSV file in the order of its first line. */
  readonly columns: readonly PreviewColumn[]
  /** The first documents as JSON texts. */
  readonly documents: readonly string[]
  readonly errors: readonly LineError[]
}

export interface ImportResult {
  readonly created: number
  readonly replaced: number
  readonly skipped: number
  /** Lines that were left out. */
  readonly bad: number
  readonly errors: readonly LineError[]
}

/** Of a file, as much as the server looks at for a preview. */
const PREVIEWED_BYTES = 256 * 1024

/** @throws ApiError */
export async function previewImport(
  address: CollectionAddress,
  file: Blob,
  reading: FileReading,
  signal: AbortSignal,
): Promise<ImportPreview> {
  const body = await beginningOf(file)
  const response = await fetchApi(`${documentsPath(address)}/import-preview?${parametersOf(reading)}`, {
    method: 'POST',
    headers: { 'Content-Type': mediaType(reading.format) },
    body,
    signal,
  })
  return (await response.json()) as ImportPreview
}

/** @throws ApiError where it is a folder, or gone */
async function beginningOf(file: Blob): Promise<ArrayBuffer> {
  try {
    return await file.slice(0, PREVIEWED_BYTES).arrayBuffer()
  } catch {
    throw new ApiError(IMPORT_TEXTS.unreadable, { code: 'unreadable_file', status: 400 })
  }
}

export interface Import {
  readonly file: Blob
  readonly reading: FileReading
  readonly onConflict: OnConflict
  /** Whether lines that can't be read are left out; else the first of them ends it. */
  readonly skipsBad: boolean
  /** Whether the file is only looked through, and nothing saved. */
  readonly isCheck: boolean
  readonly onProgress: FileToSend['onProgress']
  readonly signal: AbortSignal
}

/** @throws ApiError */
export function importFile(address: CollectionAddress, given: Import): Promise<ImportResult> {
  const { file, reading, onConflict, skipsBad, isCheck, onProgress, signal } = given
  const parameters = parametersOf(reading)
  parameters.set('on-conflict', onConflict)
  if (skipsBad) parameters.set('skip-bad', 'true')
  if (isCheck) parameters.set('check', 'true')
  return sendFile({
    path: `${documentsPath(address)}/import?${parameters}`,
    file,
    type: mediaType(reading.format),
    onProgress,
    signal,
  })
}

function parametersOf({ format, isExtended, delimiter, types }: FileReading): URLSearchParams {
  const isCsv = format === 'csv'
  return new URLSearchParams({
    ...(format && { format }),
    ...(isExtended && !isCsv && { ejson: 'true' }),
    ...(isCsv && delimiter && { delimiter: delimiter === '\t' ? 'tab' : delimiter }),
    ...(isCsv && types.size > 0 && { types: stringify(new Map(types)) }),
  })
}

/** Of a file whose format is still to be seen, any of them. */
function mediaType(format: ImportFormat = 'json'): string {
  return TYPES[format]
}
