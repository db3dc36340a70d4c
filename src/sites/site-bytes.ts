import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What the files of a site take, those of all versions that are kept, encoded forms among them; nothing where there is none.
 * @param files the folder that has them, by the first digits of their hashes
 */
export async function siteBytes(files: string): Promise<number> {
  let bytes = 0
  for (const folder of await namesIn(files)) {
    const paths = (await namesIn(join(files, folder))).map((name) => join(files, folder, name))
    const sizes = await Promise.all(paths.map(bytesOf))
    bytes += sizes.reduce((sum, size) => sum + size, 0)
  }
  return bytes
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(ifMissing([]))
}

/** One may be collected meanwhile. */
async function bytesOf(path: string): Promise<number> {
  return stat(path).then(({ size }) => size, ifMissing(0))
}

function ifMissing<Else>(otherwise: Else): (error: unknown) => Else {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise
    throw error
  }
}
