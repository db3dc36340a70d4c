import { createReadStream, type ReadStream } from 'node:fs'

const NEWLINE = 0x0a
const HEAD_BYTES = 256
const CHUNK_BYTES = 256 * 1024

/** Reads the part of a backup that has the files of a site, from its beginning to its end: heads and contents in turns. */
export class SitePartReader {
  private readonly stream: ReadStream
  private readonly chunks: AsyncIterator<Buffer>
  /** What was read and not taken. */
  private rest: Buffer = Buffer.alloc(0)

  /** @param path of the part, unpacked */
  constructor(path: string) {
    this.stream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
    this.chunks = this.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** Undefined at the end, and where there is none. */
  async head(): Promise<{ readonly name: string; readonly bytes: number } | undefined> {
    while (!this.rest.subarray(0, HEAD_BYTES).includes(NEWLINE) && this.rest.length < HEAD_BYTES) {
      const chunk = await this.next()
      if (chunk === undefined) return undefined
      this.rest = Buffer.concat([this.rest, chunk])
    }
    const end = this.rest.indexOf(NEWLINE)
    if (end === -1 || end >= HEAD_BYTES) return undefined
    const [name, bytes] = parsed(this.rest.subarray(0, end).toString())
    this.rest = this.rest.subarray(end + 1)
    const isHead = typeof name === 'string' && Number.isSafeInteger(bytes) && (bytes as number) >= 0
    return isHead ? { name, bytes: bytes as number } : undefined
  }

  /** The bytes behind a head, or as many as there are. All of them have to be taken before the next head. */
  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const chunk = this.rest.length > 0 ? this.rest : await this.next()
      if (chunk === undefined) return
      this.rest = chunk.subarray(left)
      left -= Math.min(left, chunk.length)
      yield chunk.subarray(0, chunk.length - this.rest.length)
    }
  }

  close(): void {
    this.stream.destroy()
  }

  private async next(): Promise<Buffer | undefined> {
    const { value, done } = await this.chunks.next()
    return done === true ? undefined : value
  }
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
