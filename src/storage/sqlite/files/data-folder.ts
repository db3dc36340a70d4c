import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { SQLITE_BUSY, sqliteCode } from './sqlite-code.ts'
import { storageProblem } from './storage-problem.ts'

/** The database file of one app. */
export function appFile(dataDir: string, appId: string): string {
  return join(appsFolder(dataDir), `${appId}.sqlite`)
}

export function appsFolder(dataDir: string): string {
  return join(dataDir, 'apps')
}

export function controlFile(dataDir: string): string {
  return join(dataDir, 'control.sqlite')
}

/** What is in a data folder from the first step of a restore to its last: all else may be half of a store. */
export const UNFINISHED_RESTORE = 'restore.unfinished'

/**
 * Makes sure that the data folder is one to work in.
 * @throws AppError `data_folder_unusable`
 */
export function openDataFolder(dataDir: string): void {
  refuseUnfinishedRestore(dataDir)
  makeDataFolder(dataDir)
  refuseLostControlFile(dataDir)
}

/**
 * Makes sure that the data folder and its `apps` and `tls` are there and can be written. What is made is its
 * owner's alone; a folder that is there already keeps its mode, for it may be shared with other things, and every
 * file in it is private anyway.
 * @throws AppError `data_folder_unusable`
 */
export function makeDataFolder(dataDir: string): void {
  try {
    for (const folder of [dataDir, appsFolder(dataDir), join(dataDir, 'tls')]) {
      makeFolder(folder)
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    }
  } catch (error) {
    throw unusable(dataDir, folderProblem(dataDir, error), error)
  }
}

/** Where a script restores and then starts a server, an empty store would hide that nothing was restored. */
function refuseUnfinishedRestore(dataDir: string): void {
  if (existsSync(join(dataDir, UNFINISHED_RESTORE)))
    throw unusable(dataDir, 'a restore into this folder did not end; run it again, or empty the folder')
}

/** Documents would be lost from sight if the file that says whose they are was made anew. */
function refuseLostControlFile(dataDir: string): void {
  if (!hasControlFile(dataDir) && hasAppFiles(dataDir))
    throw unusable(
      dataDir,
      'control.sqlite is missing, though there are documents in apps; restore it, or move these away to begin anew',
    )
}

function hasAppFiles(dataDir: string): boolean {
  const apps = appsFolder(dataDir)
  try {
    if (statSync(apps, { throwIfNoEntry: false })?.isDirectory() !== true) return false
    return readdirSync(apps).some((name) => name.endsWith('.sqlite'))
  } catch (error) {
    throw unusable(dataDir, folderProblem(dataDir, error), error)
  }
}

/**
 * Makes a folder and what is missing above it. Not by Node's `recursive`, which never ends where the system says that
 * nothing can be made in a folder that is there, as in /proc.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (folder !== dirname(folder)) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in between.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    throw error
  }
  syncFolder(dirname(folder))
}

/**
 * Makes sure that a server has made a store here.
 * @throws AppError `data_folder_unusable`
 */
export function requireDataFolder(dataDir: string): void {
  refuseUnfinishedRestore(dataDir)
  if (hasControlFile(dataDir)) return
  refuseLostControlFile(dataDir)
  throw new AppError(
    'data_folder_unusable',
    `there is no Sheaf data in ${dataDir}; name the folder of a server with --data, or make a store there with "sheaf serve"`,
  )
}

function hasControlFile(dataDir: string): boolean {
  try {
    return statSync(controlFile(dataDir), { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    throw unusable(dataDir, folderProblem(dataDir, error), error)
  }
}

/**
 * Takes the folder for one server.
 * @throws AppError `data_folder_in_use`, `data_folder_unusable`
 */
export function lockDataFolder(dataDir: string): HeldLock {
  let lock: HeldLock | undefined
  try {
    lock = tryLock(join(dataDir, 'server.lock'))
  } catch (error) {
    throw unusable(dataDir, folderProblem(dataDir, error), error)
  }
  if (lock !== undefined) return lock
  throw new AppError(
    'data_folder_in_use',
    `another server is running on ${dataDir}, or a command has its store open; wait for it or stop it, or choose another folder with --data`,
  )
}

/**
 * Has to be kept for as long as the lock is needed: a database that nothing refers to is closed by the garbage collector.
 */
export interface HeldLock {
  release(): void
}

/**
 * Takes a lock, which is an open transaction on a file of its own, so that the system gives it back however the process
 * ends. Undefined where somebody has it.
 */
export function tryLock(path: string): HeldLock | undefined {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: 0 })
    // In memory, so that the transaction makes no journal beside the file.
    db.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    // By path: opening and closing the file here would drop the POSIX lock that was just taken.
    chmodSync(path, 0o600)
  } catch (error) {
    db?.close()
    if (sqliteCode(error) !== SQLITE_BUSY) throw error
    return undefined
  }
  const held = db
  return { release: () => held.close() }
}

/** Makes the entries of a folder survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function unusable(dataDir: string, problem: string, cause?: unknown): AppError {
  return new AppError('data_folder_unusable', `can't use ${dataDir} as the data folder: ${problem}`, {
    cause,
  })
}

function folderProblem(dataDir: string, error: unknown): string {
  const problem = storageProblem(controlFile(dataDir), error)
  if (problem !== undefined) return problem
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'it is, or lies below, something that is not a folder'
  if (code === 'EACCES' || code === 'EPERM')
    return 'this user may not read and write there; run it as the user that the files belong to'
  return error instanceof Error ? error.message : String(error)
}
