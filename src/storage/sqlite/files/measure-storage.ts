import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiskFacts } from '../../../domain/disk-level.ts'
import type { DatabaseBytes, StorageFacts } from '../../../domain/server-facts.ts'
import { AppError } from '../../../errors.ts'
import { appsFolder, controlFile } from './data-folder.ts'

/** Files that are asked about at once. */
const AT_ONCE = 32
const SUFFIX = '.sqlite'
/** Of a disk, for ordinary writes. */
const RESERVED_BYTES = 64 * 1024 * 1024

/**
 * How large the databases of a data folder are and what is free on its disk. Files are not opened.
 * @throws AppError `store_unavailable`
 */
export async function measureStorage(dataDir: string): Promise<StorageFacts> {
  try {
    const disk = await measureDisk(dataDir)
    const control = await databaseBytes(controlFile(dataDir))
    const files = (await readdir(appsFolder(dataDir))).filter((name) => name.endsWith(SUFFIX))
    const apps = new Map<string, DatabaseBytes>()
    for (let start = 0; start < files.length; start += AT_ONCE) {
      const some = files.slice(start, start + AT_ONCE)
      const sizes = await Promise.all(some.map((name) => databaseBytes(join(appsFolder(dataDir), name))))
      for (const [index, name] of some.entries()) apps.set(name.slice(0, -SUFFIX.length), sizes[index]!)
    }
    return { ...disk, control, apps }
  } catch (error) {
    throw new AppError('store_unavailable', "the data folder can't be looked at", { cause: error })
  }
}

/**
 * How long the write-ahead logs of a data folder are, in bytes, by the ids of apps; the empty text has that of accounts.
 * @throws AppError `store_unavailable`
 */
export async function measureLogs(dataDir: string): Promise<ReadonlyMap<string, number>> {
  const suffix = `${SUFFIX}-wal`
  try {
    // Those that are there alone: SQLite removes the log of a file that nobody has open.
    const logs = (await readdir(appsFolder(dataDir))).filter((name) => name.endsWith(suffix))
    const lengths = new Map([['', await bytesOf(`${controlFile(dataDir)}-wal`)]])
    for (const name of logs)
      lengths.set(name.slice(0, -suffix.length), await bytesOf(join(appsFolder(dataDir), name)))
    return lengths
  } catch (error) {
    throw new AppError('store_unavailable', "the data folder can't be looked at", { cause: error })
  }
}

/** The disk that has a folder. @throws SystemError of Node.js */
export async function measureDisk(folder: string): Promise<DiskFacts> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, diskBytes: blocks * bsize }
}

/** What of a disk may be written for backups and restores. */
export async function spareBytes(folder: string): Promise<number> {
  const { freeBytes } = await measureDisk(folder)
  return Math.max(0, freeBytes - RESERVED_BYTES)
}

export async function databaseBytes(file: string): Promise<DatabaseBytes> {
  return { bytes: await bytesOf(file), walBytes: await bytesOf(`${file}-wal`) }
}

/** What a database was like when it was looked at. */
export interface DatabaseState {
  /** Another one after each write to it; empty where there is none. */
  readonly mark: string
  /** When it was written last, in milliseconds since the Unix epoch. */
  readonly changedAt: number
}

/** Its log is written first. An empty log is as none, for whoever opens a database makes one. */
export async function databaseState(file: string): Promise<DatabaseState> {
  const found = await Promise.all([file, `${file}-wal`].map((each) => stat(each).catch(() => undefined)))
  const written = found.filter((each) => each !== undefined).filter(({ size }) => size > 0)
  return {
    mark: written.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(' '),
    changedAt: Math.max(0, ...written.map(({ mtimeMs }) => mtimeMs)),
  }
}

/** 0 where it isn't there: a log comes and goes, and so does an app. */
async function bytesOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
