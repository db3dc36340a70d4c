import { type FileHandle, open } from 'node:fs/promises'
import { admitFiles } from './admit-files.ts'
import { badDeploy, type SiteLimits, tooManyFiles } from './deploy-refusals.ts'
import type { DeploySource, SourceFile } from './deploy-source.ts'
import { isFileHash } from './manifest.ts'

interface ListedFile extends SourceFile {
  readonly hash: string
  readonly sent: boolean
}

const NEWLINE = 0x0a
const CHUNK_BYTES = 64 * 1024
/** Of what stands in the list of one file: its path as JSON, its hash, its length. */
const LISTED_BYTES = 8 * 1024
/** However many files there may be: what is read of it is held in memory. */
const LIST_BYTES = 64 * 1024 * 1024
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

async function firstLine(body: FileHandle, mostBytes: number): Promise<{ line: Buffer; end: number }> {
  const chunks: Buffer[] = []
  let end = 0
  for await (const chunk of bytesAt(body, 0, mostBytes)) {
    const newline = chunk.indexOf(NEWLINE)
    chunks.push(Buffer.from(newline === -1 ? chunk : chunk.subarray(0, newline)))
    end += newline === -1 ? chunk.length : newline + 1
    if (newline !== -1) return { line: Buffer.concat(chunks), end }
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
  const { files } = parsed(line)
  if (!Array.isArray(files)) throw badDeploy('the first line should be {"files":[…]}')
  // What is left out counts, too, or it would be for nothing that it is bounded.
  if (files.length > 2 * limits.siteFiles) throw tooManyFiles(limits)
  const sent = new Set<string>()
  return (files as readonly unknown[]).map((entry, index) => {
    const file = listedFile(entry)
    if (file === undefined)
      throw badDeploy(
        `files[${index}] should be {"path":"index.html","hash":SHA-256 in hexadecimal,"bytes":12,"sent":true}`,
      )
    if (!file.sent) return file
    if (sent.has(file.hash)) throw badDeploy(`files[${index}] is sent twice; send each hash once`)
    sent.add(file.hash)
    return file
  })
}

function listedFile(entry: unknown): ListedFile | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { path, hash, bytes, sent } = entry as Record<string, unknown>
  const isFile =
    typeof path === 'string' &&
    isFileHash(hash) &&
    Number.isSafeInteger(bytes) &&
    (bytes as number) >= 0 &&
    typeof sent === 'boolean'
  return isFile ? { path, hash, bytes: bytes as number, sent } : undefined
}

function parsed(line: Buffer): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(UTF8.decode(line)) as object) }
  } catch (error) {
    throw badDeploy('the first line is not JSON in UTF-8', error)
  }
}
