import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../../errors.ts'
import { spareBytes } from '../files/measure-storage.ts'
import { createPrivateFile } from '../files/private-file.ts'
import { CONTROL, damaged, MANIFEST, type Manifest, manifestFrom, notABackup, siteOfApp } from './manifest.ts'

/** A manifest of 10,000 apps has some 6 MB. */
const MANIFEST_BYTES = 64 * 1024 * 1024
/** Parts beside those of apps: the control file, the certificate, the manifest. */
const OTHER_PARTS = 16
const PARTS_OF_APP = 3
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** A backup that is open to be read. Its parts are found by what its manifest says, and none of its names is a path. */
export interface BackupFile {
  readonly manifest: Manifest
  /** The bytes of all parts as they are unpacked. */
  readonly bytes: number
  /** Unpacks a part into a new file, which is whole when this resolves. @throws AppError `invalid_backup` */
  extract(part: string, path: string): Promise<void>
  /** The text of a part of at most so many bytes. @throws AppError `invalid_backup` */
  text(part: string, mostBytes: number): Promise<string>
  /** Reads all of it. @throws AppError `invalid_backup` where a part is not what was written */
  verify(): Promise<void>
  close(): void
}

/**
 * Opens a file as a backup, whoever made it: what it says of itself is checked as it is read, and bounded before.
 * @param most how many apps it may have
 * @throws AppError `invalid_backup`
 */
export async function openBackup(path: string, most: { readonly apps: number }): Promise<BackupFile> {
  const zip = await openZip(path)
  try {
    const entries = await entriesOf(zip, most.apps * PARTS_OF_APP + OTHER_PARTS)
    const manifest = await readManifest(zip, entries)
    requireSameParts(manifest, entries)
    return backupFile(zip, { entries, manifest })
  } catch (error) {
    zip.close()
    throw error
  }
}

/** @throws AppError `store_unavailable` where there is no room for what a backup holds, and for it once more */
export async function requireRoom({ bytes }: Pick<BackupFile, 'bytes'>, path: string): Promise<void> {
  const free = await spareBytes(dirname(path))
  // Both the file as it was and the one that is made anew of it.
  if (bytes * 2 < free) return
  throw new AppError(
    'store_unavailable',
    `the disk has no room for this backup: it holds ${bytes} bytes, is unpacked beside what is made of it, and ${free} are free beside a reserve for other writes`,
  )
}

async function openZip(path: string): Promise<ZipFile> {
  const beginning = firstBytes(path)
  if (beginning.length === 0) throw notABackup('the file is empty')
  if (beginning.toString('latin1').startsWith('SQLite format 3'))
    throw notABackup('it is a database by itself')
  if (beginning.readUInt32LE() !== 0x04_03_4b_50) throw notABackup('it is no zip file')
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false })
  } catch (error) {
    // What the system refuses says nothing of the file.
    if (error instanceof Error && 'syscall' in error) throw error
    throw new AppError('invalid_backup', 'the backup is cut: its end is missing', { cause: error })
  }
}

/** Four at least, or none. */
function firstBytes(path: string): Buffer {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(16)
    const read = readSync(descriptor, bytes)
    return read === 0 ? Buffer.alloc(0) : bytes
  } finally {
    closeSync(descriptor)
  }
}

async function entriesOf(zip: ZipFile, most: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > most)
    throw new AppError('invalid_backup', `the backup has ${zip.entryCount} parts, and may have ${most}`)
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw damaged('the list of its parts', error)
  }
  return entries
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST)
  if (entry === undefined) throw notABackup('it is a zip file without a manifest.json')
  if (entry.uncompressedSize > MANIFEST_BYTES) throw damaged('its manifest')
  const bytes = Buffer.concat(await Array.fromAsync(unpacked(zip, entry, 'its manifest')))
  // The digests of all other parts are in it; of itself the zip file has a sum.
  if (crc32(bytes) !== entry.crc32) throw damaged('its manifest')
  return manifestFrom(decoded([bytes], 'its manifest'))
}

/** @throws AppError `invalid_backup` */
function requireSameParts({ parts }: Manifest, entries: ReadonlyMap<string, Entry>): void {
  const isSame =
    entries.size === parts.length + 1 &&
    parts.every(({ name, bytes }) => entries.get(name)?.uncompressedSize === bytes)
  if (!isSame) throw damaged('the list of its parts')
}

function backupFile(
  zip: ZipFile,
  { entries, manifest }: { entries: ReadonlyMap<string, Entry>; manifest: Manifest },
): BackupFile {
  const parts = new Map(manifest.parts.map((part) => [part.name, part]))
  async function* checked(name: string): AsyncGenerator<Buffer> {
    const what = partInWords(name, manifest)
    const hash = createHash('sha256')
    for await (const chunk of unpacked(zip, entries.get(name)!, what)) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== parts.get(name)!.sha256) throw damaged(what)
  }
  return {
    manifest,
    bytes: manifest.parts.reduce((total, { bytes }) => total + bytes, 0),
    async extract(name, path) {
      createPrivateFile(path, dirname(path))
      const file = await open(path, 'r+')
      try {
        for await (const chunk of checked(name)) await file.writeFile(chunk)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    async text(name, mostBytes) {
      const what = partInWords(name, manifest)
      if (parts.get(name)!.bytes > mostBytes) throw damaged(what)
      return decoded(await Array.fromAsync(checked(name)), what)
    },
    async verify() {
      for (const name of parts.keys()) for await (const _ of checked(name));
    },
    close: () => zip.close(),
  }
}

function decoded(chunks: readonly Uint8Array[], what: string): string {
  try {
    return UTF8.decode(Buffer.concat(chunks))
  } catch (error) {
    throw damaged(what, error)
  }
}

/** No more comes than the entry says, for the library ends what is longer. */
async function* unpacked(zip: ZipFile, entry: Entry, what: string): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  try {
    stream = await zip.openReadStreamPromise(entry)
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    throw damaged(what, error)
  } finally {
    stream?.destroy()
  }
}

function partInWords(name: string, { apps }: Manifest): string {
  if (name === CONTROL) return 'control.sqlite, which has the accounts and keys,'
  const app = apps.find(({ id, documents, description }) =>
    [documents, description, siteOfApp(id)].includes(name),
  )
  return app === undefined ? name : `the app ${JSON.stringify(app.slug.slice(0, 63))}`
}
