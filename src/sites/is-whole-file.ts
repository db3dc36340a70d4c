import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Whether the bytes of a file are those of this SHA-256. One that is not there, or can't be read, has not. */
export async function isWholeFile(path: string, hash: string): Promise<boolean> {
  const digest = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer)
  } catch {
    return false
  }
  return digest.digest('hex') === hash
}
