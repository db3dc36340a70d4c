import { chmodSync, closeSync, openSync } from 'node:fs'
import { syncFolder } from './data-folder.ts'

/** SQLite gives its -wal and -shm the mode of the database, so that must be right before SQLite sees it. */
export function createPrivateFile(path: string, folder: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    syncFolder(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    chmodSync(path, 0o600)
  }
}
