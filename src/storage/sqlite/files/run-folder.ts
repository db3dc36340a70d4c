import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { unusable } from './data-folder.ts'

/** Bytes of a socket's path: `sun_path` without its last, which is 0 (unix(7); Apple's `sys/un.h`). */
const PATH_BYTES = process.platform === 'linux' ? 107 : 103

/** Where a server listens for commands on this machine. */
export function serverSocket(dataDir: string): string {
  return join(runFolder(dataDir), 'server.sock')
}

/**
 * A path as a socket can have it: as it is, or from the current folder where that is shorter; undefined where both are too
 * long for the system.
 */
export function socketPath(path: string): string | undefined {
  return [path, relative(process.cwd(), path)].find((each) => Buffer.byteLength(each) <= PATH_BYTES)
}

/**
 * Makes the folder of the socket its owner's alone, whoever may enter the data folder, and takes away the socket of a server
 * that was killed. For the one that has the lock on the data folder.
 * @throws AppError `data_folder_unusable`
 */
export function openRunFolder(dataDir: string): void {
  const folder = runFolder(dataDir)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    // What a link leads to may be anything, and its mode is about to be changed.
    if (!lstatSync(folder).isDirectory()) throw unusable(dataDir, 'run in it is no folder; move it away')
    giveToOwner(folder, dataDir)
    chmodSync(folder, 0o700)
    rmSync(serverSocket(dataDir), { force: true })
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unusable(dataDir, error.message, error)
    throw error
  }
}

/** What root makes is for the data folder's owner, whose server has to listen there. */
function giveToOwner(folder: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  chownSync(folder, uid, gid)
}

function runFolder(dataDir: string): string {
  return join(dataDir, 'run')
}
