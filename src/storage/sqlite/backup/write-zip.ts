import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type BackupPart, MANIFEST } from './manifest.ts'

/** What makes a part when it is its turn, and what lets go of it afterwards. */
export interface PartSource {
  readonly name: string
  readonly open: () => Promise<AsyncIterable<Uint8Array>>
}

/** From the fastest to the smallest: documents are half as long already with the fastest, in a third of the time. */
const COMPRESSION_LEVEL = 1
/** Bytes after which what was written is sent to the disk: a long queue there would hold up the commits of others. */
const SYNCED_BYTES = 8 * 1024 * 1024

/**
 * Writes the parts of a backup to a new file that is its owner's alone, one after the other, and then what is made of their
 * lengths and digests. When it resolves, all of it is on the disk.
 * @returns how long the file is
 */
export async function writeZip(
  path: string,
  sources: readonly PartSource[],
  manifestOf: (parts: readonly BackupPart[]) => string,
): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // What fails while a part is read would otherwise be an error that nobody hears.
  zip.on('error', (error: Error) => output.destroy(error))
  const parts: BackupPart[] = []
  let opening: Promise<unknown> = Promise.resolve()
  const add = (name: string, openPart: () => Promise<Chunks>): void =>
    zip.addReadStreamLazy(name, { compressionLevel: COMPRESSION_LEVEL, mode: 0o100600 }, (done) => {
      opening = openPart().then(
        (chunks) => done(undefined, Readable.from(chunks, { objectMode: false })),
        (error: unknown) => done(error, Readable.from([])),
      )
    })
  for (const { name, open: openPart } of sources)
    add(name, async () => digested(await openPart(), (part) => parts.push({ name, ...part })))
  add(MANIFEST, async () => [Buffer.from(manifestOf(parts))])
  zip.end()
  try {
    return await writeSynced(file, output)
  } finally {
    // Whoever hears that it failed takes away what a part is made of.
    await opening
    await file.close()
  }
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

async function* digested(
  chunks: AsyncIterable<Uint8Array>,
  tell: (part: Omit<BackupPart, 'name'>) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
    yield chunk
  }
  tell({ bytes, sha256: hash.digest('hex') })
}

async function writeSynced(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  let unsynced = 0
  for await (const chunk of chunks) {
    await file.writeFile(chunk)
    bytes += chunk.length
    unsynced += chunk.length
    if (unsynced < SYNCED_BYTES) continue
    await file.datasync()
    unsynced = 0
  }
  await file.sync()
  return bytes
}
