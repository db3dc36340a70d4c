import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  createReadStream,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { isLeftOut, pathProblem } from '../domain/site-paths.ts'
import { AppError } from '../errors.ts'

/** A file of a folder that is deployed. */
export interface SiteFileToSend {
  /** In the site: `a/b.html`. */
  readonly path: string
  /** On the disk. */
  readonly source: string
  /** SHA-256 in hexadecimal. */
  readonly hash: string
  readonly bytes: number
}

export interface SiteFolder {
  readonly files: readonly SiteFileToSend[]
  /** Files and folders that stay out, such as `.git`. */
  readonly leftOut: readonly string[]
}

/** More than any server takes, so that a folder given by mistake is not read to its end. */
const MOST_FILES = 100_000
/** Up to that, a file is read at once, in bytes. */
const SMALL = 1024 * 1024
const CHUNK = 256 * 1024
/** After so many files, signals and progress have their turn. */
const FILES_A_TURN = 64
/** No link is followed, not one either that took the place of a file since it was found. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/**
 * Finds the files of a folder and what they hold.
 * @param onRead told how many bytes each has that was read
 * @throws AppError `invalid_deploy` for what no site can have, `deploy_too_large`, `input_failed`
 */
export async function readSiteFolder(folder: string, onRead: (bytes: number) => void): Promise<SiteFolder> {
  const leftOut: string[] = []
  const files: SiteFileToSend[] = []
  for (const path of pathsIn(folder, '', leftOut)) {
    if (files.length === MOST_FILES)
      throw new AppError(
        'deploy_too_large',
        `${folder} has more than ${MOST_FILES} files; is it the right folder?`,
      )
    const file = await hashed({ path, source: join(folder, path) })
    files.push(file)
    onRead(file.bytes)
    if (files.length % FILES_A_TURN === 0) await turn()
  }
  if (files.length === 0)
    throw new AppError(
      'invalid_deploy',
      `${JSON.stringify(folder)} has no files to deploy${leftOut.length > 0 ? ', but for those that stay out' : ''}; give the folder that has index.html`,
    )
  return { files, leftOut }
}

/** What a file holds, in chunks. @throws AppError `input_failed`, also where it is not as long as it was before */
export async function* contentOf({ path, source, bytes }: SiteFileToSend): AsyncGenerator<Buffer> {
  let read = 0
  for await (const chunk of chunksOf({ path, source })) {
    read += chunk.length
    if (read > bytes) break
    yield chunk
  }
  if (read !== bytes) throw unreadable(path, 'it was changed meanwhile; deploy again')
}

function* pathsIn(folder: string, under: string, leftOut: string[]): Generator<string> {
  for (const entry of entriesOf(folder, under)) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (isLeftOut(path)) {
      leftOut.push(path)
      continue
    }
    const problem = problemOf(path, entry)
    if (problem !== undefined) throw new AppError('invalid_deploy', `${JSON.stringify(path)} ${problem}`)
    if (entry.isDirectory()) yield* pathsIn(folder, path, leftOut)
    else yield path
  }
}

function problemOf(path: string, entry: Dirent): string | undefined {
  if (entry.isSymbolicLink())
    return 'is a symbolic link, which is not followed; put there what it leads to, or take it away'
  if (!entry.isFile() && !entry.isDirectory()) return 'is neither a file nor a folder'
  return pathProblem(path)
}

function entriesOf(folder: string, under: string): Dirent[] {
  try {
    const entries = readdirSync(join(folder, under), { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    throw unreadable(under === '' ? folder : under, error)
  }
}

async function hashed(file: { readonly path: string; readonly source: string }): Promise<SiteFileToSend> {
  const digest = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunksOf(file)) {
    digest.update(chunk)
    bytes += chunk.length
  }
  return { ...file, hash: digest.digest('hex'), bytes }
}

async function* chunksOf({ path, source }: Pick<SiteFileToSend, 'path' | 'source'>): AsyncGenerator<Buffer> {
  try {
    const fd = openSync(source, READ)
    if (fstatSync(fd).size > SMALL) yield* createReadStream(source, { fd, highWaterMark: CHUNK })
    else yield wholeFile(fd)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function wholeFile(fd: number): Buffer {
  try {
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

function unreadable(path: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('input_failed', `${JSON.stringify(path)} can't be read: ${reason}`, { cause })
}
