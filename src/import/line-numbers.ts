const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** What a line ends with is looked for in these last bytes, too. */
interface Piece {
  readonly start: number
  /** The line that its first byte is on. */
  readonly firstLine: number
  /** How many bytes of the file there are up to each line end in it, that included. */
  readonly ends: readonly number[]
}

/** On which line the bytes of a file are, of which the last two pieces are remembered. A line ends with CRLF, LF or CR. */
export class LineNumbers {
  private older: Piece = { start: 0, firstLine: 1, ends: [] }
  private newer: Piece = this.older
  private length = 0
  private isAfterReturn = false

  add(piece: Buffer): void {
    const start = this.length
    const firstLine = this.newer.firstLine + this.newer.ends.length
    const ends: number[] = []
    let { isAfterReturn } = this
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]
      // A carriage return ends its line where no newline follows.
      if (isAfterReturn && byte !== NEWLINE) ends.push(start + at)
      if (byte === NEWLINE) ends.push(start + at + 1)
      isAfterReturn = byte === CARRIAGE_RETURN
    }
    this.isAfterReturn = isAfterReturn
    this.length += piece.length
    this.older = this.newer
    this.newer = { start, firstLine, ends }
  }

  /** The line of the byte behind so many. */
  at(bytes: number): number {
    const { firstLine, ends } = bytes >= this.newer.start ? this.newer : this.older
    return firstLine + countUpTo(ends, bytes)
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
