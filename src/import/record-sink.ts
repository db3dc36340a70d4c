import type { ReadDocument } from '../body/read-document.ts'
import { AppError, namedError } from '../errors.ts'

/** Where a record stands in its file. */
export interface RecordPlace {
  /** On which it begins, from 1. */
  readonly line: number
  /** Of a value of a JSON file, from 0. */
  readonly index?: number
}

/** Takes what a file holds, record by record. */
export interface RecordSink {
  document(place: RecordPlace, document: ReadDocument): void
  /** A record that can't be a document. @throws AppError what ends the import, where that does */
  fault(line: number, error: AppError): void
}

/** Reads a file that comes piece by piece. */
export interface RecordReader {
  /**
   * Resolves when the piece was taken apart, and the sink was told of the records in it. It may hold the piece itself for longer.
   * @throws AppError what makes all that follows unreadable, named by its line
   */
  push(piece: Buffer): Promise<void>
  /** Reads what is left at the end of the file. @throws AppError as `push` does */
  end(): Promise<void>
}

/** What went wrong, named by its line. */
export function atLine(line: number, error: AppError): AppError {
  return namedError(`line ${line}`, error) as AppError
}

/** What a record of a JSON file is called. */
export function atIndex(index: number, error: AppError): AppError {
  return namedError(`the document at index ${index}`, error) as AppError
}

export function emptyFile(): AppError {
  return new AppError('invalid_document', 'the file is empty')
}
