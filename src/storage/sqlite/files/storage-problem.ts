import { closeSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isOutOfDescriptors, outOfDescriptors } from '../../../domain/descriptors.ts'
import { DISK_IS_FULL, systemProblem } from '../../../domain/system-problem.ts'
import { SQLITE_CANTOPEN, SQLITE_IOERR, sqliteCode } from './sqlite-code.ts'

/** An app's database, its write-ahead log, and the index of that in shared memory. */
const APP_FILES = 3
/** What SQLite needs for the index of a write-ahead log, of which it says no more than that it failed. */
const LOG_INDEX_BYTES = 32 * 1024

/** What the system refused when SQLite used a file, in words for the log; undefined where it was something else. */
export function storageProblem(path: string, error: unknown): string | undefined {
  return systemProblem(error) ?? scarcity(path, error) ?? (isDiskFull(path, error) ? DISK_IS_FULL : undefined)
}

function isDiskFull(path: string, error: unknown): boolean {
  const code = sqliteCode(error)
  if (code !== SQLITE_IOERR && code !== SQLITE_CANTOPEN) return false
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < LOG_INDEX_BYTES
  } catch {
    return false
  }
}

/** Why SQLite can't open a file, in words, where that is for want of descriptors: it doesn't tell by itself. */
export function scarcity(path: string, error: unknown): string | undefined {
  if (sqliteCode(error) !== SQLITE_CANTOPEN) return undefined
  const descriptors: number[] = []
  try {
    // Of the folder, for closing the app's own file would drop the locks of this process on it.
    while (descriptors.length < APP_FILES) descriptors.push(openSync(dirname(path), 'r'))
    return undefined
  } catch (reason) {
    return isOutOfDescriptors(reason) ? outOfDescriptors(reason) : undefined
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}
