import { AppError } from '../errors.ts'

/** By how many bytes the documents of one write become longer together, which is bounded. */
export class DocumentGrowth {
  private readonly roomBytes: number
  private grownBytes = 0

  constructor(roomBytes: number) {
    this.roomBytes = roomBytes
  }

  /** @throws AppError `quota_exceeded` */
  add(after: string, before: string): void {
    this.grownBytes += Buffer.byteLength(after) - Buffer.byteLength(before)
    if (this.grownBytes > this.roomBytes)
      throw new AppError('quota_exceeded', 'what the write would add has no room; narrow its query')
  }

  told(): { readonly grownBytes: number } {
    return { grownBytes: this.grownBytes }
  }
}
