import { AppError, type ErrorCode } from '../errors.ts'
import type { RecordBatch, RecordFault } from './record-batches.ts'
import { atIndex, atLine } from './record-sink.ts'

/** A list of more is of no use to anybody, and takes memory for as long as it is sent. */
const MOST_FAULTS = 100_000

/** Where the documents of some batch stand in the file. */
interface Places {
  /** The number of its first document in the import. */
  readonly first: number
  readonly lines: Uint32Array
  readonly indexes: Uint32Array
}

/** What has come of an import so far, and on which lines. */
export class ImportTally {
  /** Documents that were read, and records that are none. */
  records = 0
  private documents = 0
  private readonly found: RecordFault[] = []
  private readonly places: Places[] = []

  /** @throws AppError `too_many_bad_lines` */
  note({ count, lines, indexes, faults }: RecordBatch): void {
    if (lines.length > 0) this.places.push({ first: this.documents, lines, indexes })
    this.documents += count
    this.records += count + faults.length
    for (const fault of faults) this.found.push(fault)
    this.check()
  }

  /** Notes a document that was read and then refused, by its number in the import, from 0. */
  refuse(document: number, error: AppError): void {
    const { line, named } = this.locate(document, error)
    if (this.found.length <= MOST_FAULTS) this.found.push({ line, ...faultOf(named) })
  }

  /** @throws AppError `too_many_bad_lines` */
  check(): void {
    if (this.found.length > MOST_FAULTS)
      throw new AppError(
        'too_many_bad_lines',
        `more than ${MOST_FAULTS} records of the file can't be imported; look at how it is read, or mend it`,
      )
  }

  /** Ordered by their lines. */
  get faults(): readonly RecordFault[] {
    return this.found.toSorted((a, b) => a.line - b.line)
  }

  /** A refusal of the store, named by the line of the document that it is about. */
  named(error: unknown): unknown {
    if (!(error instanceof AppError) || error.documentIndex === undefined) return error
    const { line, named } = this.locate(error.documentIndex, error)
    return atLine(line, named)
  }

  private locate(document: number, error: AppError): { readonly line: number; readonly named: AppError } {
    const { first, lines, indexes } = this.places.findLast((each) => each.first <= document)!
    const index = indexes[document - first]
    return { line: lines[document - first]!, named: index === undefined ? error : atIndex(index, error) }
  }
}

function faultOf({ code, message }: AppError): { readonly code: ErrorCode; readonly message: string } {
  return { code, message }
}
