import { open } from 'node:fs/promises'
import type { ByteRange } from './byte-range.ts'

/** What is read at once of a file that is sent as it is read. */
const CHUNK_BYTES = 256 * 1024

/**
 * The bytes of a part of a file, read as they are taken; each chunk is good until the next one is asked for. The file is
 * opened for each chunk, so that clients that take their time keep none open.
 * @throws where the file is shorter than it was
 */
export async function* readPart(path: string, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, last - first + 1))
  for (let at = first; at <= last; ) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, last - at + 1))
    const read = await readAt(path, wanted, at)
    if (read === 0) throw new Error(`${path} ends at byte ${at}, before byte ${last}`)
    yield wanted.subarray(0, read)
    at += read
  }
}

async function readAt(path: string, into: Buffer, position: number): Promise<number> {
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(into, 0, into.length, position)
    return bytesRead
  } finally {
    await file.close()
  }
}
