import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Moves files that are called by their hashes to where a site's are. When it returns, that is on the disk. Answers the bytes of those
 * that were not there.
 * @param own gives what was made to whom the data folder belongs
 */
export function placeFiles(from: string, to: string, own: (path: string) => void): number {
  let newBytes = 0
  const changed = new Set<string>()
  makeFolder(to, own)
  for (const name of readdirSync(from).filter((each) => /^[0-9a-f]{64}/.test(each))) {
    const folder = join(to, name.slice(0, 2))
    if (!changed.has(folder)) makeFolder(folder, own)
    changed.add(folder)
    own(join(from, name))
    if (statSync(join(folder, name), { throwIfNoEntry: false }) === undefined)
      newBytes += statSync(join(from, name)).size
    renameSync(join(from, name), join(folder, name))
  }
  for (const folder of changed) syncFolder(folder)
  return newBytes
}

/** With what is missing above it. */
export function makeFolder(path: string, own: (path: string) => void): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  makeFolder(dirname(path), own)
  mkdirSync(path, { mode: 0o700 })
  own(path)
  syncFolder(dirname(path))
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
