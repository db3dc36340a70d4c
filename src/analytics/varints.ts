/** Writes numbers in as few bytes as they need (LEB128), and texts behind their lengths in UTF-8. */
export class VarintWriter {
  private bytes = Buffer.allocUnsafe(1024)
  private length = 0

  /** @param value a whole number from 0 to 2^53; anything else is written as the nearest of them */
  number(value: number): void {
    let rest = value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0
    this.makeRoom(8)
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest % 0x80) + 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.bytes[this.length++] = rest
  }

  text(text: string): void {
    const bytes = Buffer.byteLength(text)
    this.number(bytes)
    this.makeRoom(bytes)
    this.length += this.bytes.write(text, this.length)
  }

  raw(bytes: Uint8Array): void {
    this.number(bytes.length)
    this.makeRoom(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  private makeRoom(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.length + bytes))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}

/** Bytes are not what a writer made. */
class UnreadableBytes extends Error {}

/** Reads what a writer wrote. Its methods throw `UnreadableBytes`. */
export class VarintReader {
  private readonly bytes: Buffer
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  number(): number {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.bytes[this.at++]
      if (byte === undefined || value > Number.MAX_SAFE_INTEGER) throw new UnreadableBytes('a number is cut')
      if (byte < 0x80) return value + byte * factor
      value += (byte - 0x80) * factor
    }
  }

  /**
   * All numbers that are left; in a long row those are hundreds of thousands, most of them of one byte.
   * @param room for as many as there are bytes left
   * @returns the part of the room that has them
   */
  rest(room: Float64Array): Float64Array {
    const { bytes } = this
    let length = 0
    let value = 0
    let factor = 1
    for (let at = this.at; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte < 0x80) {
        room[length++] = value + byte * factor
        value = 0
        factor = 1
      } else {
        value += (byte - 0x80) * factor
        factor *= 0x80
        if (value > Number.MAX_SAFE_INTEGER) throw new UnreadableBytes('a number is too large')
      }
    }
    if (factor > 1) throw new UnreadableBytes('a number is cut')
    this.at = bytes.length
    return room.subarray(0, length)
  }

  get bytesLeft(): number {
    return this.bytes.length - this.at
  }

  /** How many things follow, of at least one byte each, so that no length makes room for more than there can be. */
  count(): number {
    const count = this.number()
    if (count > this.bytesLeft) throw new UnreadableBytes('there is less than was said')
    return count
  }

  text(): string {
    const bytes = this.count()
    this.at += bytes
    return this.bytes.toString('utf8', this.at - bytes, this.at)
  }

  raw(): Uint8Array {
    const bytes = this.count()
    this.at += bytes
    return Uint8Array.from(this.bytes.subarray(this.at - bytes, this.at))
  }

  get isAtEnd(): boolean {
    return this.at === this.bytes.length
  }
}
