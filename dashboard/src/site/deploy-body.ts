import type { ChosenFile } from './site-folder.ts'

export const DEPLOY_TYPE = 'application/x-sheaf-deploy'

/** Of files that are read at once; `crypto.subtle` takes a file whole. */
const READ_BYTES = 32 * 1024 * 1024
const READ_FILES = 256

export interface HashedFile extends ChosenFile {
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

interface Hashing {
  /** Told how many have been read. */
  readonly onFiles: (count: number) => void
  readonly signal: AbortSignal
}

/**
 * Reads files for their hashes, by which the server knows what it has.
 * @throws DOMException of a file that can't be read, or has changed since it was chosen
 */
export async function hashFiles(
  files: readonly ChosenFile[],
  { onFiles, signal }: Hashing,
): Promise<readonly HashedFile[]> {
  const hashed: HashedFile[] = []
  while (hashed.length < files.length) {
    signal.throwIfAborted()
    hashed.push(...(await hashTogether(readAtOnce(files, hashed.length))))
    onFiles(hashed.length)
  }
  return hashed
}

/** One at least, whatever its size. */
function readAtOnce(files: readonly ChosenFile[], from: number): readonly ChosenFile[] {
  let to = from + 1
  let bytes = files[from]!.file.size
  while (to < files.length && to - from < READ_FILES && bytes + files[to]!.file.size <= READ_BYTES) {
    bytes += files[to]!.file.size
    to += 1
  }
  return files.slice(from, to)
}

/** Reads them as one: of ten thousand small files, each by itself takes a browser longer. */
async function hashTogether(files: readonly ChosenFile[]): Promise<readonly HashedFile[]> {
  const bytes = new Uint8Array(await new Blob(files.map(({ file }) => file)).arrayBuffer())
  let at = 0
  const hashed = files.map(async (each) => {
    const from = at
    at += each.file.size
    return { ...each, hash: await hashOf(bytes.subarray(from, at)) }
  })
  return Promise.all(hashed)
}

async function hashOf(content: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * A deploy as the server takes it: a line of JSON that lists the files, then the bytes of those that it lacks, each once and in
 * the order of the list. They are read from the disk while they are sent.
 * @param missing hashes that the server lacks
 */
export function deployBody(files: readonly HashedFile[], missing: Iterable<string>): Blob {
  const unsent = new Set(missing)
  const sent: Blob[] = []
  const listed = files.map(({ path, file, hash }) => {
    const isSent = unsent.delete(hash)
    if (isSent) sent.push(file)
    return { path, hash, bytes: file.size, sent: isSent }
  })
  return new Blob([`${JSON.stringify({ files: listed })}\n`, ...sent])
}
