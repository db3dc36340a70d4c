import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { pathProblem } from '../domain/site-paths.ts'
import { admitFiles } from './admit-files.ts'
import { badDeploy, badFile, type SiteLimits, tooManyFiles } from './deploy-refusals.ts'
import type { DeploySource, SourceFile } from './deploy-source.ts'

/** Text of the Web gets 3 to 20 times shorter, and deflate can do 1,032. */
const MOST_TIMES = 200
/** The same for all files together, beside those that are short. */
const MOST_TIMES_IN_ALL = 100
const SHORT_BYTES = 1024 * 1024
/** A file up to here may be a mere repetition: what all take together is bounded by itself. */
const ANY_TIMES_BYTES = 64 * 1024 * 1024
/** Of the list of entries, which is held in memory: names, extra fields and comments. */
const LIST_BYTES = 32 * 1024 * 1024
/** Of what the list has of one entry beside its name, which archivers make 20 to 40 bytes and a comment long. */
const EXTRA_BYTES = 4 * 1024
const EXTRA_FIELDS = 16
/** Of the length of an entry's header in the list (APPNOTE.TXT, section 4.3.12). */
const HEADER_BYTES = 46
/** Of the general purpose flags: the name is UTF-8 (APPNOTE.TXT, section 4.4.4). */
const UTF8_FLAG = 0x800
/** Extra field with a name in UTF-8 (APPNOTE.TXT, section 4.6.9). */
const UNICODE_PATH = 0x7075

interface ZippedFile extends SourceFile {
  readonly entry: Entry
}

/**
 * Opens a zip file whose list of entries was found to be good, whoever made it. A folder that has all of it is taken off.
 * @throws AppError `invalid_deploy`, `deploy_too_large`
 */
export async function openZip(path: string, limits: SiteLimits): Promise<DeploySource> {
  const zip = await openPromise(path, {
    lazyEntries: true,
    autoClose: false,
    // What is wrong with a name is said in words of our own.
    decodeStrings: false,
  }).catch((error: unknown) => {
    // What the system refuses says nothing of the file.
    throw error instanceof Error && 'syscall' in error
      ? error
      : badDeploy('this is no whole zip file; make it anew, and send it again', error)
  })
  try {
    const { files, leftOut } = admitFiles(await listedFiles(zip, limits), limits)
    const admitted = withoutTopFolder(files)
    refuseBomb(files, zip.fileSize)
    return {
      files: admitted,
      leftOut,
      bytesToWrite: admitted.reduce((total, { bytes }) => total + bytes, 0),
      open: (file) => unpacked(zip, file as ZippedFile),
      close: async () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listedFiles(zip: ZipFile, limits: SiteLimits): Promise<readonly ZippedFile[]> {
  // Folders and what is left out count, too, or it would be for nothing that it is bounded.
  if (zip.entryCount > 2 * limits.siteFiles) throw tooManyFiles(limits)
  const files: ZippedFile[] = []
  let bytes = 0
  for await (const entry of entriesOf(zip)) {
    bytes += HEADER_BYTES + entry.fileNameLength + extraBytesOf(entry)
    if (bytes > LIST_BYTES)
      throw badDeploy(
        `the list of the zip file takes more than ${LIST_BYTES} bytes; make it anew without comments`,
      )
    const path = nameOf(entry)
    const problem = nameProblem(path) ?? entryProblem(entry)
    if (problem !== undefined) throw badFile(path, problem)
    if (!path.endsWith('/')) files.push({ path, bytes: entry.uncompressedSize, entry })
  }
  return files
}

/** One after the other, so that the first that is bad is the last that is read. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry()
  for (;;) {
    const { done, value } = await entries.next().catch((error: unknown) => {
      throw badDeploy('the list of the zip file is damaged; make it anew, and send it again', error)
    })
    if (done === true) return
    yield value as Entry
  }
}

/** Some archivers write UTF-8 and don't say so; any other text is hardly ever UTF-8 by chance. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const isSaid =
    (generalPurposeBitFlag & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)
  return isSaid || !isUtf8(fileNameRaw)
    ? getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
    : fileNameRaw.toString()
}

/** That of a folder ends with a slash. */
function nameProblem(path: string): string | undefined {
  const problem = pathProblem(path.endsWith('/') ? path.slice(0, -1) : path)
  if (!path.includes('\\')) return problem
  return 'has a backslash, where zip files have /; make the zip file with another program, or deploy the folder'
}

function extraBytesOf({ extraFieldLength, fileCommentLength }: Entry): number {
  return extraFieldLength + fileCommentLength
}

/** What is neither a file nor a folder leads elsewhere. Of what no Unix made, the mode is 0. */
function entryProblem(entry: Entry): string | undefined {
  const kind = (entry.externalFileAttributes >>> 16) & constants.S_IFMT
  if (kind === constants.S_IFLNK) return 'is a symbolic link; put the file itself into the zip file'
  if (kind !== 0 && kind !== constants.S_IFREG && kind !== constants.S_IFDIR)
    return 'is neither a file nor a folder'
  if (entry.isEncrypted()) return 'is encrypted'
  if (!entry.canDecodeFileData()) return 'is compressed in an unusual way; use deflate'
  if (extraBytesOf(entry) > EXTRA_BYTES || entry.extraFields.length > EXTRA_FIELDS)
    return `has more than ${EXTRA_BYTES} bytes or ${EXTRA_FIELDS} fields of comments; make the zip file without them`
  if (isTooDense(entry))
    return `is more than ${MOST_TIMES} times as long as what is sent of it; deploy the folder instead of a zip file`
  return undefined
}

function isTooDense({ uncompressedSize, compressedSize }: Entry): boolean {
  return uncompressedSize > ANY_TIMES_BYTES && uncompressedSize > MOST_TIMES * compressedSize
}

function refuseBomb(files: readonly ZippedFile[], fileSize: number): void {
  const sum = (of: 'compressedSize' | 'uncompressedSize'): number =>
    files.reduce((total, { entry }) => total + entry[of], 0)
  // Entries that share their bytes have more of them than there are.
  if (sum('compressedSize') > fileSize)
    throw badDeploy('files of the zip file lie over each other; make it anew')
  const bytes = sum('uncompressedSize')
  if (bytes > MOST_TIMES_IN_ALL * Math.max(fileSize, SHORT_BYTES))
    throw badDeploy(
      `the files are more than ${MOST_TIMES_IN_ALL} times as long as the zip file; deploy the folder instead of a zip file`,
    )
}

/** Archivers put the folder that was chosen around its files. One with a name that means something stays. */
function withoutTopFolder(files: readonly ZippedFile[]): readonly ZippedFile[] {
  const top = files[0]?.path.split('/', 1)[0]
  if (top === undefined || top === '.well-known' || !files.every(({ path }) => path.startsWith(`${top}/`)))
    return files
  return files.map((file) => {
    const path = file.path.slice(top.length + 1)
    const problem = pathProblem(path)
    if (problem !== undefined) throw badFile(path, problem)
    return { ...file, path }
  })
}

/** No more comes than the entry says, for the library ends what is longer. */
async function* unpacked(zip: ZipFile, { path, entry }: ZippedFile): AsyncGenerator<Buffer> {
  let stream: Readable | undefined
  let sum = 0
  try {
    stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw badFile(path, 'can not be unpacked; the zip file is damaged', error)
  } finally {
    stream?.destroy()
  }
  if (sum !== entry.crc32)
    throw badFile(path, 'is not what the zip file says that it is; the zip file is damaged')
}
