import { type FileHandle, open } from 'node:fs/promises'
import { admitFiles } from './admit-files.ts'
import { badDeploy, type SiteLimits, tooManyFiles } from './deploy-refusals.ts'
import type { DeploySource, SourceFile } from './deploy-source.ts'
import { isFileHash } from './manifest.ts'
import { LISTED_BYTES, noList, splitFileList } from './split-file-list.ts'

interface ListedFile extends SourceFile {
  readonly hash: string
  readonly sent: boolean
}

const NEWLINE = 0x0a
const CHUNK_BYTES = 64 * 1024
/** However many files there may be, for it is held in memory: what 20,000 paths need of the longest that there may be. */
const LIST_BYTES = 32 * 1024 * 1024
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes that the list of a deploy may have. */
export function mostListBytes({ siteFiles }: SiteLimits): number {
  return Math.min(LIST_BYTES, (siteFiles + 1) * LISTED_BYTES)
}

/**
 * Opens a body of `application/x-sheaf-deploy`: a line of JSON that lists the files, and behind it the bytes of those that
 * are sent, one after the other.
 * @throws AppError `invalid_deploy`, `deploy_too_large`
 */
export async function openFileStream(path: string, limits: SiteLimits): Promise<DeploySource> {
  const body = await open(path)
  try {
    const { line, end } = await firstLine(body, mostListBytes(limits))
    const listed = listedFiles(line, limits)
    const { files, leftOut } = admitFiles(listed, limits)
    const places = new Map<SourceFile, number>()
    let place = end
    for (const file of listed) {
      if (!file.sent) continue
      places.set(file, place)
      place += file.bytes
    }
    const { size } = await body.stat()
    if (place !== size)
      throw badDeploy(
        `the list says that ${place - end} bytes follow it, and ${size - end} do; send it again`,
      )
    return {
      files,
      leftOut,
      bytesToWrite: place - end,
      open: (file) => {
        const start = places.get(file)
        return start === undefined ? undefined : bytesAt(body, start, file.bytes)
      },
      close: () => body.close(),
    }
  } catch (error) {
    await body.close()
    throw error
  }
}

/** Nothing of it is held before its end was found. */
async function firstLine(body: FileHandle, mostBytes: number): Promise<{ line: Buffer; end: number }> {
  let before = 0
  for await (const chunk of bytesAt(body, 0, mostBytes)) {
    const newline = chunk.indexOf(NEWLINE)
    if (newline !== -1) {
      const line = Buffer.alloc(before + newline)
      await body.read(line, 0, line.length, 0)
      return { line, end: line.length + 1 }
    }
    before += chunk.length
  }
  throw badDeploy(`the first ${mostBytes} bytes have no line that lists the files`)
}

/** The same memory is used for each chunk. */
async function* bytesAt(body: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, length))
  for (let at = 0; at < length; ) {
    const wanted = Math.min(buffer.length, length - at)
    const { bytesRead } = await body.read(buffer, 0, wanted, start + at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function listedFiles(line: Buffer, limits: SiteLimits): readonly ListedFile[] {
  const files: ListedFile[] = []
  const sent = new Set<string>()
  for (const entry of splitFileList(line)) {
    // What is left out counts, too, or it would be for nothing that it is bounded.
    if (files.length === 2 * limits.siteFiles) throw tooManyFiles(limits)
    const file = listedFile(parsed(entry))
    if (file === undefined)
      throw badDeploy(
        `files[${files.length}] should be {"path":"index.html","hash":SHA-256 in hexadecimal,"bytes":12,"sent":true}`,
      )
    if (file.sent && sent.has(file.hash))
      throw badDeploy(`files[${files.length}] is sent twice; send each hash once`)
    if (file.sent) sent.add(file.hash)
    files.push(file)
  }
  return files
}

function listedFile({ path, hash, bytes, sent }: Readonly<Record<string, unknown>>): ListedFile | undefined {
  const isFile =
    typeof path === 'string' &&
    isFileHash(hash) &&
    Number.isSafeInteger(bytes) &&
    (bytes as number) >= 0 &&
    typeof sent === 'boolean'
  return isFile ? { path, hash, bytes: bytes as number, sent } : undefined
}

function parsed(entry: Buffer): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(UTF8.decode(entry)) as Record<string, unknown>
  } catch (error) {
    throw noList(error)
  }
}
