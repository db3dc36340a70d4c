import { guessDelimiter, hasHeader } from './guess-format.ts'
import type { Delimiter } from './import-options.ts'
import type { RecordReader } from './record-sink.ts'

/** Reads CSV of which nobody has said what stands between its cells, as soon as its header is there to tell. */
export class GuessingReader implements RecordReader {
  private readonly readerBy: (delimiter: Delimiter) => RecordReader
  private reader: RecordReader | undefined
  private header: Buffer = Buffer.alloc(0)

  constructor(readerBy: (delimiter: Delimiter) => RecordReader) {
    this.readerBy = readerBy
  }

  async push(piece: Buffer): Promise<void> {
    if (this.reader !== undefined) return this.reader.push(piece)
    this.header = Buffer.concat([this.header, piece])
    if (hasHeader(this.header)) await this.begin()
  }

  async end(): Promise<void> {
    const reader = this.reader ?? (await this.begin())
    await reader.end()
  }

  private async begin(): Promise<RecordReader> {
    const { header } = this
    this.header = Buffer.alloc(0)
    this.reader = this.readerBy(guessDelimiter(header))
    await this.reader.push(header)
    return this.reader
  }
}
