const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** As far back as a parser may be that looks ahead. */
const LAG_BYTES = 64

/** A part of a file. */
interface Part {
  /** How many bytes of the file there are before it. */
  readonly start: number
  /** The line that its first byte is on. */
  readonly firstLine: number
  /** How many bytes of the file there are up to each line end in it, that included. */
  readonly ends: number[]
}

/**
 * On which line the bytes of a file are, for those of the last piece and `LAG_BYTES` before it. A line ends with CRLF, LF or
 * CR.
 */
export class LineNumbers {
  private older: Part = { start: 0, firstLine: 1, ends: [] }
  private newer: Part = this.older
  private length = 0
  private isAfterReturn = false

  add(piece: Buffer): void {
    const { start, firstLine, ends } = this.newer
    if (this.length - start >= LAG_BYTES) {
      this.older = this.newer
      this.newer = { start: this.length, firstLine: firstLine + ends.length, ends: [] }
    }
    this.note(piece)
  }

  /** The line of the byte behind so many. */
  at(bytes: number): number {
    const { firstLine, ends } = bytes >= this.newer.start ? this.newer : this.older
    return firstLine + countUpTo(ends, bytes)
  }

  private note(piece: Buffer): void {
    const { ends } = this.newer
    let { isAfterReturn, length } = this
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]
      // A carriage return ends its line where no newline follows.
      if (isAfterReturn && byte !== NEWLINE) ends.push(length)
      length++
      if (byte === NEWLINE) ends.push(length)
      isAfterReturn = byte === CARRIAGE_RETURN
    }
    this.isAfterReturn = isAfterReturn
    this.length = length
  }
}

/** How many numbers of an ascending list are no greater. */
function countUpTo(ascending: readonly number[], most: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= most) low = middle + 1
    else high = middle
  }
  return low
}
