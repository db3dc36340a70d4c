import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type HeldLock, tryLock } from './data-folder.ts'
import { giveToOwner } from './private-file.ts'

const LOCK = 'lock'

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
    const lockPath = join(path, LOCK)
    const lock = existsSync(lockPath) ? tryLock(lockPath) : { release: () => {} }
    if (lock === undefined) continue
    lock.release()
    rmSync(path, { recursive: true, force: true })
  }
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
