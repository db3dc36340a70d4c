import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isWholeFile } from '../../../sites/is-whole-file.ts'
import { SiteFiles } from '../../../sites/site-files.ts'
import { SitePartReader } from './site-part-reader.ts'
import type { StoredSiteFiles } from './whole-site.ts'

/** A hash, and what an encoded form has behind it. */
const NAME = /^([0-9a-f]{64})(\.br|\.gz)?$/
const CHUNK_BYTES = 64 * 1024
/** Files up to here are held in memory while they are looked at. */
const SHORT_BYTES = 1024 * 1024
/** Of those, as many are written at a time: each waits for the disk. */
const WRITTEN_AT_ONCE = 16

/*
 * Files of a site as one part of a backup: before each a line of JSON, its name and its length. A file that is not what its
 * name says, or can't be read, is left out: it is good to nobody, and documents are not to go without a backup for it.
 */

/** A site in a folder that is like a data folder. */
interface SitePlace {
  readonly dataDir: string
  /** By its id. */
  readonly app: string
}

/** @param stored is told what was read, by the time all of it was */
export async function* readSiteFiles(
  { dataDir, app }: SitePlace,
  stored: StoredSiteFiles,
): AsyncGenerator<Uint8Array> {
  const root = new SiteFiles(dataDir).filesOf(app)
  if (!existsSync(root)) return
  for (const folder of readdirSync(root))
    for (const name of readdirSync(join(root, folder))) {
      const [, hash, ending] = NAME.exec(name) ?? []
      if (hash === undefined) continue
      const path = join(root, folder, name)
      const { size } = statSync(path)
      const content = await wholeFile(path, { size, hash: ending === undefined ? hash : undefined })
      if (content === undefined) continue
      yield Buffer.from(`${JSON.stringify([name, size])}\n`)
      yield* content
      stored.set(name, size)
    }
}

/** @returns undefined for what is damaged */
async function wholeFile(
  path: string,
  { size, hash }: { readonly size: number; readonly hash: string | undefined },
): Promise<Iterable<Buffer> | AsyncIterable<Buffer> | undefined> {
  if (size <= SHORT_BYTES) {
    const content = readIfPossible(path)
    return content?.length === size && isOf(content, hash) ? [content] : undefined
  }
  if (hash !== undefined && !(await isWholeFile(path, hash))) return undefined
  return createReadStream(path, { highWaterMark: CHUNK_BYTES })
}

/**
 * Writes what such a part has to where an app's files are, but what is not what its name says. All of it is on the disk when
 * this resolves.
 * @returns what was written
 */
export async function writeSiteFiles(part: string, { dataDir, app }: SitePlace): Promise<StoredSiteFiles> {
  const files = new SiteFiles(dataDir)
  const reader = new SitePartReader(part)
  const stored = new Map<string, number>()
  const folders = new Set<string>()
  let writing: Promise<void>[] = []
  for (let head = await reader.head(); head !== undefined; head = await reader.head()) {
    const { name, bytes } = head
    const [, hash, ending] = NAME.exec(name) ?? []
    // After what no backup has, nothing of the part is believed.
    if (hash === undefined || stored.has(name)) break
    const folder = join(files.filesOf(app), hash.slice(0, 2))
    if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 })
    folders.add(folder)
    const file = { path: join(folder, name), bytes, hash: ending === undefined ? hash : undefined }
    if (bytes > SHORT_BYTES) {
      if (await writeLong(file, reader)) stored.set(name, bytes)
      continue
    }
    const content = Buffer.concat(await Array.fromAsync(reader.take(bytes)))
    if (content.length < bytes || !isOf(content, file.hash)) continue
    writing.push(writeFile(file.path, content, { flag: 'wx', mode: 0o600, flush: true }))
    stored.set(name, bytes)
    if (writing.length < WRITTEN_AT_ONCE) continue
    await Promise.all(writing)
    writing = []
  }
  await Promise.all(writing)
  reader.close()
  return stored
}

/** @returns whether it was whole */
async function writeLong(
  { path, bytes, hash }: { readonly path: string; readonly bytes: number; readonly hash: string | undefined },
  reader: SitePartReader,
): Promise<boolean> {
  const digest = createHash('sha256')
  let written = 0
  const looked = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of reader.take(bytes)) {
      digest.update(chunk)
      written += chunk.length
      yield chunk
    }
  }
  await writeFile(path, looked(), { flag: 'wx', mode: 0o600, flush: true })
  if (written === bytes && (hash === undefined || digest.digest('hex') === hash)) return true
  await rm(path)
  return false
}

/** Encoded forms have no hash. */
function isOf(content: Buffer, hash: string | undefined): boolean {
  return hash === undefined || createHash('sha256').update(content).digest('hex') === hash
}

function readIfPossible(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
