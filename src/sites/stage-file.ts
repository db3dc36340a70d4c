import { createHash } from 'node:crypto'
import { open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { compressFile, SHORT_BYTES } from './compress-file.ts'
import { CODINGS } from './manifest.ts'
import { codingEnding } from './site-files.ts'

export interface Staging {
  /** Where files are until all of them are there; they are called by their hashes. */
  readonly folder: string
  /** Of brotli. */
  readonly quality: number
  /** Whether the site has no whole file of this hash; who asks first has to write it. */
  readonly isNew: (hash: string) => Promise<boolean>
}

export interface FileToStage {
  /** Of the file as it is to be; no more come. */
  readonly bytes: number
  readonly chunks: AsyncIterable<Buffer>
  readonly isCompressible: boolean
  /** A number that no other one has. */
  readonly id: number
}

/**
 * Writes a file and what it is compressed to, unless the site has it already. What is written is on the disk when this
 * resolves.
 * @returns its hash, how long it is, and whether it was written
 */
export async function stageFile(
  { bytes, chunks, isCompressible, id }: FileToStage,
  staging: Staging,
): Promise<{ hash: string; bytes: number; isNew: boolean }> {
  const unnamed = join(staging.folder, `unnamed-${id}`)
  const digest = createHash('sha256')
  const short: Buffer[] = []
  const isShort = bytes <= SHORT_BYTES
  let written = 0
  const file = await open(unnamed, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      digest.update(chunk)
      written += chunk.length
      await file.writeFile(chunk)
      if (isShort) short.push(Buffer.from(chunk))
    }
    const hash = digest.digest('hex')
    if (!(await staging.isNew(hash))) {
      await unlink(unnamed)
      return { hash, bytes: written, isNew: false }
    }
    await file.sync()
    const path = join(staging.folder, hash)
    await rename(unnamed, path)
    const toCompress = {
      ...{ path, bytes: written, quality: staging.quality },
      content: isShort ? (short.length === 1 ? short[0] : Buffer.concat(short)) : undefined,
    }
    if (isCompressible)
      for (const coding of CODINGS) await compressFile(toCompress, coding, `${path}${codingEnding(coding)}`)
    return { hash, bytes: written, isNew: true }
  } finally {
    await file.close()
  }
}
