import { chmodSync, chownSync, closeSync, openSync, statSync } from 'node:fs'
import { syncFolder } from './data-folder.ts'

/**
 * Makes an empty file that its owner alone may read, if it isn't there yet. SQLite gives its -wal and -shm the mode and
 * the owner of the database, so these must be right before SQLite sees it.
 */
export function createPrivateFile(path: string, folder: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    giveToOwner(path, folder)
    syncFolder(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, 0o600)
  }
}

/** What root makes is the folder's owner's, whose server has to open it. */
export function giveToOwner(path: string, folder: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  if (uid !== 0) chownSync(path, uid, gid)
}
