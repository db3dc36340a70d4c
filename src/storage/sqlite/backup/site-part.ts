import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { SiteFiles } from '../../../sites/site-files.ts'
import { damaged } from './manifest.ts'

/** A hash, and what an encoded form has behind it. */
const NAME = /^([0-9a-f]{64})(\.br|\.gz)?$/
const NEWLINE = 0x0a
const HEAD_BYTES = 256
const CHUNK_BYTES = 64 * 1024

/*
 * Files of a site as one part of a backup: before each a line of JSON, its name and its length. Each is opened before its
 * line is written, for it may be removed meanwhile and stays whole for whoever has it open.
 */

/** Whether a site has files. @param app by its id */
export function hasSiteFiles(dataDir: string, app: string): boolean {
  return existsSync(new SiteFiles(dataDir).filesOf(app))
}

export async function* readSiteFiles(dataDir: string, app: string): AsyncGenerator<Uint8Array> {
  const root = new SiteFiles(dataDir).filesOf(app)
  for (const folder of foldersIn(root))
    for (const name of foldersIn(join(root, folder)).filter((each) => NAME.test(each))) {
      const file = await open(join(root, folder, name)).catch(ifGone)
      if (file === undefined) continue
      try {
        const { size } = await file.stat()
        yield Buffer.from(`${JSON.stringify([name, size])}\n`)
        yield* file.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES })
      } finally {
        await file.close()
      }
    }
}

/**
 * Writes what such a part has to where an app's files are. All of it is on the disk when this resolves.
 * @throws AppError `invalid_backup`
 */
export async function writeSiteFiles(
  part: string,
  { dataDir, app }: { dataDir: string; app: string },
): Promise<void> {
  const files = new SiteFiles(dataDir)
  const source = await open(part)
  try {
    const { size } = await source.stat()
    for (let at = 0; at < size; ) {
      const { buffer, bytesRead } = await source.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, at)
      const head = buffer.subarray(0, bytesRead)
      const { name, hash, bytes, start } = headFrom(head, at)
      if (start + bytes > size) throw damaged('a site')
      const folder = join(files.filesOf(app), hash.slice(0, 2))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const target = await open(join(folder, name), 'wx', 0o600)
      try {
        const digest = createHash('sha256')
        // A stream of nothing has no range.
        const range = { autoClose: false, start, end: start + bytes - 1 }
        const chunks = bytes === 0 ? [] : source.createReadStream(range)
        for await (const chunk of chunks) {
          digest.update(chunk as Buffer)
          await target.writeFile(chunk as Buffer)
        }
        if (name === hash && digest.digest('hex') !== hash) throw damaged('a file of a site')
        await target.sync()
      } finally {
        await target.close()
      }
      at = start + bytes
    }
  } finally {
    await source.close()
  }
}

function headFrom(head: Buffer, at: number): { name: string; hash: string; bytes: number; start: number } {
  const end = head.indexOf(NEWLINE)
  const [name, bytes] = end === -1 ? [] : parsed(head.subarray(0, end).toString())
  const [, hash] = typeof name === 'string' ? (NAME.exec(name) ?? []) : []
  if (hash === undefined || !Number.isSafeInteger(bytes) || (bytes as number) < 0) throw damaged('a site')
  return { name: name as string, hash, bytes: bytes as number, start: at + end + 1 }
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** A folder that is removed at this moment has none. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    return ifGone(error) ?? []
  }
}

function ifGone(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
