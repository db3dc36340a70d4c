const NEWLINE = 0x0a
/** White space of JSON, a carriage return before a newline among it. */
const BLANK: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d])

export interface Line {
  /** Counted from 1, blank ones too. */
  readonly number: number
  /** From its first byte that is not white space on; undefined where it is too long to be kept. */
  readonly bytes: Buffer | undefined
}

/** Cuts bytes that come piece by piece into their lines that are not blank. No character of UTF-8 has a newline in it. */
export class LineSplitter {
  private readonly mostBytes: number
  private number = 1
  private begun: Buffer[] = []
  private begunBytes = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  *push(piece: Buffer): Generator<Line> {
    let at = 0
    while (at < piece.length) {
      if (this.begunBytes === 0) {
        for (; BLANK.has(piece[at]) || piece[at] === NEWLINE; at++) if (piece[at] === NEWLINE) this.number++
        if (at === piece.length) return
      }
      const end = piece.indexOf(NEWLINE, at)
      this.add(piece.subarray(at, end < 0 ? piece.length : end))
      if (end < 0) return
      yield this.take()
      this.number++
      at = end + 1
    }
  }

  /** The last line, where no newline ends it. */
  *end(): Generator<Line> {
    if (this.begunBytes > 0) yield this.take()
  }

  private add(part: Buffer): void {
    this.begunBytes += part.length
    if (this.begunBytes > this.mostBytes) this.begun = []
    else this.begun.push(part)
  }

  private take(): Line {
    const { number, begun } = this
    const isKept = this.begunBytes <= this.mostBytes
    this.begun = []
    this.begunBytes = 0
    if (!isKept) return { number, bytes: undefined }
    return { number, bytes: begun.length === 1 ? begun[0]! : Buffer.concat(begun) }
  }
}
