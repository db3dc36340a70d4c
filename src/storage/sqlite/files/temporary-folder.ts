import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HeldLock, tryLock } from './data-folder.ts'
import { giveToOwner } from './private-file.ts'

const LOCK = 'lock'
const SITES_HELD = 'sites-held'

export interface TemporaryFolder {
  readonly path: string
  /** Removes it with all that is in it. */
  remove(): void
}

/**
 * A new folder for what is worked on, on the disk of the data folder, which its owner alone can open. A process or thread that
 * is ended by `process.exit` removes it, too.
 */
export function makeTemporaryFolder(dataDir: string): TemporaryFolder {
  const path = mkdtempSync(join(makeAllFolder(dataDir), 'job-'))
  giveToOwner(path, dataDir)
  // However this process ends, the next start knows that nobody needs the folder any more.
  const lock: HeldLock | undefined = tryLock(join(path, LOCK))
  const remove = (): void => {
    process.off('exit', remove)
    lock?.release()
    // Again where something is made in it at this moment.
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', remove)
  return { path, remove }
}

/** The path of a new file there, for a server: its next start removes what it has left. */
export function temporaryFile(dataDir: string, name: string): string {
  return join(makeAllFolder(dataDir), `${randomUUID()}-${name}`)
}

/** Removes what killed processes have left; a command that works beside the server keeps what it has. */
export function sweepTemporaryFolders(dataDir: string): void {
  const all = allFolder(dataDir)
  if (!existsSync(all)) return
  for (const name of readdirSync(all)) {
    const path = join(all, name)
    if (!isInUse(path)) rmSync(path, { recursive: true, force: true })
  }
}

/** Has the files of sites stay where they are until the folder is removed, or its process ends. */
export function holdSiteFiles({ path }: TemporaryFolder): void {
  writeFileSync(join(path, SITES_HELD), '', { mode: 0o600 })
}

/** Whether somebody, in this process or another, has them stay. */
export function areSiteFilesHeld(dataDir: string): boolean {
  const all = allFolder(dataDir)
  if (!existsSync(all)) return false
  return readdirSync(all).some((name) => existsSync(join(all, name, SITES_HELD)) && isInUse(join(all, name)))
}

function isInUse(path: string): boolean {
  const lockPath = join(path, LOCK)
  if (!existsSync(lockPath)) return false
  const lock = tryLock(lockPath)
  lock?.release()
  return lock === undefined
}

function allFolder(dataDir: string): string {
  return join(dataDir, 'tmp')
}

function makeAllFolder(dataDir: string): string {
  const all = allFolder(dataDir)
  mkdirSync(all, { recursive: true, mode: 0o700 })
  chmodSync(all, 0o700)
  giveToOwner(all, dataDir)
  return all
}
