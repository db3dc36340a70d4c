import { bytesOf, type ReadDocument } from '../body/read-document.ts'
import type { AppError, ErrorCode } from '../errors.ts'
import { documentTooLargeForApp } from '../json/document-too-large.ts'
import { type PackedDocuments, packDocuments } from '../storage/packed.ts'
import { atIndex, atLine, type RecordPlace, type RecordSink } from './record-sink.ts'

/** A record that is no document. */
export interface RecordFault {
  readonly line: number
  readonly code: ErrorCode
  readonly message: string
}

/** Some records of a file, in their order. */
export interface RecordBatch {
  readonly documents: PackedDocuments
  /** On which each of the documents begins. */
  readonly lines: Uint32Array<ArrayBuffer>
  /** Of each of them in a JSON file; empty for others. */
  readonly indexes: Uint32Array<ArrayBuffer>
  readonly faults: readonly RecordFault[]
  /** How many documents were read, kept or not. */
  readonly count: number
}

export interface BatchOptions {
  /** Whether records that are faults are told of; else the first of them ends the import. */
  readonly skipsBad: boolean
  /** Whether documents are only counted. */
  readonly isCheck: boolean
  /** The app's own limit of a document, beside that of the server. */
  readonly documentBytes?: number | undefined
}

/** The writer is at one of these for less than 50 ms. */
const BATCH_DOCUMENTS = 1000
const BATCH_UNITS = 1024 * 1024

/** Gathers records until there are enough of them to be handed on. */
export class RecordBatches implements RecordSink {
  private readonly options: BatchOptions
  private documents: ReadDocument[] = []
  private lines: number[] = []
  private indexes: number[] = []
  private faults: RecordFault[] = []
  private units = 0
  private count = 0

  constructor(options: BatchOptions) {
    this.options = options
  }

  document({ line, index }: RecordPlace, document: ReadDocument): void {
    const { isCheck, documentBytes } = this.options
    if (documentBytes !== undefined && bytesOf(document) > documentBytes) {
      const error = documentTooLargeForApp(documentBytes)
      this.fault(line, index === undefined ? error : atIndex(index, error))
      return
    }
    this.count++
    if (isCheck) return
    this.documents.push(document)
    this.lines.push(line)
    if (index !== undefined) this.indexes.push(index)
    this.units += document.text.length
  }

  /** @throws AppError the same, named by its line, where it ends the import */
  fault(line: number, error: AppError): void {
    if (!this.options.skipsBad && !this.options.isCheck) throw atLine(line, error)
    this.faults.push({ line, code: error.code, message: error.message })
  }

  get isFull(): boolean {
    return (
      this.documents.length >= BATCH_DOCUMENTS ||
      this.units >= BATCH_UNITS ||
      this.faults.length >= BATCH_DOCUMENTS
    )
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.faults.length === 0
  }

  take(): RecordBatch {
    const { documents, lines, indexes, faults, count } = this
    Object.assign(this, { documents: [], lines: [], indexes: [], faults: [], units: 0, count: 0 })
    return {
      documents: packDocuments(documents),
      lines: new Uint32Array(lines),
      indexes: new Uint32Array(indexes),
      faults,
      count,
    }
  }
}
