const HEAD_END = '\r\n\r\n'
const LAST_CHUNK = '0\r\n\r\n'

/** Finds where the answers on one connection end, where one comes after the other and none is compressed. */
export class AnswerReader {
  /** The beginning of an answer whose header section is not complete. */
  private head = ''
  /** Bytes of the body that are still to come; infinite where it comes in chunks. */
  private missing = 0
  /** The last characters of a body in chunks. */
  private tail = ''

  /** Whether an answer ends with these bytes. @throws Error where its status is not 2xx */
  takesLast(bytes: Buffer): boolean {
    if (this.missing > 0) return this.takesLastOfBody(bytes)
    this.head += bytes.toString('latin1')
    const end = this.head.indexOf(HEAD_END)
    if (end < 0) return false
    const head = this.head.slice(0, end)
    const rest = this.head.slice(end + HEAD_END.length)
    this.head = ''
    if (!head.startsWith('HTTP/1.1 2')) throw new Error(`the server answered ${head}\n${rest}`)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
    return this.missing === 0 || this.takesLastOfBody(Buffer.from(rest, 'latin1'))
  }

  private takesLastOfBody(bytes: Buffer): boolean {
    if (Number.isFinite(this.missing)) {
      this.missing -= bytes.length
      return this.missing === 0
    }
    this.tail = (this.tail + bytes.toString('latin1', Math.max(0, bytes.length - 8))).slice(-8)
    // A text of JSON holds no bare line ends, so this can't stand inside of a chunk.
    if (!this.tail.endsWith(LAST_CHUNK)) return false
    this.missing = 0
    this.tail = ''
    return true
  }
}
