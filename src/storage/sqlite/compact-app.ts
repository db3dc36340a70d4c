import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { DROPPED_COLLECTION_MS } from '../collection-store.ts'
import { copyDatabase } from './backup/copy-database.ts'
import { Connection } from './files/connection.ts'
import { appFile, lockDataFolder } from './files/data-folder.ts'
import { databaseBytes } from './files/measure-storage.ts'
import { storageProblem } from './files/storage-problem.ts'
import { makeTemporaryFolder, sweepTemporaryFolders } from './files/temporary-folder.ts'
import { sweepCollections } from './write/sweep-collections.ts'

/** A transaction of sweeping, for which nobody waits. */
const SWEEP_MS = 1000

export interface CompactedApp {
  /** What its file and the log beside it take on the disk. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/**
 * Gives back to the disk what the file of an app has free, where no server runs. Its documents are written anew, without
 * gaps, to a file beside it, and copied back in one transaction: who is killed in between has the file as it was. That
 * takes room for what there is, twice.
 * @throws AppError `data_folder_in_use`, `app_not_found`, `store_unavailable`
 */
export async function compactApp(where: {
  readonly dataDir: string
  readonly app: string
  /** Milliseconds since the Unix epoch. */
  readonly now: number
}): Promise<CompactedApp> {
  const { dataDir, app, now } = where
  const lock = lockDataFolder(dataDir)
  // The copy of one that was killed is as large as the app.
  sweepTemporaryFolders(dataDir)
  const job = makeTemporaryFolder(dataDir)
  const file = appFile(dataDir, app)
  try {
    const bytesBefore = await fileBytes(file)
    const compact = join(job.path, 'compact.sqlite')
    onFile(file, (connection) => {
      sweepAll(connection, { app, now })
      connection.run('VACUUM INTO ?', compact)
    })
    await copyDatabase(compact, file)
    onFile(file, (connection) => connection.row('PRAGMA wal_checkpoint(TRUNCATE)'))
    return { bytesBefore, bytesAfter: await fileBytes(file) }
  } catch (error) {
    if (error instanceof AppError) throw error
    const problem = storageProblem(file, error) ?? (error as Error).message
    throw new AppError('store_unavailable', `the app can't be compacted, and is as it was: ${problem}`, {
      cause: error,
    })
  } finally {
    job.remove()
    lock.release()
  }
}

async function fileBytes(file: string): Promise<number> {
  const { bytes, walBytes } = await databaseBytes(file)
  return bytes + walBytes
}

function onFile(file: string, work: (connection: Connection) => unknown): void {
  const connection = new Connection(file, 'writer')
  try {
    work(connection)
  } finally {
    connection.close()
  }
}

/** What is nobody's any more would be copied like all else. */
function sweepAll(connection: Connection, { app, now }: { app: string; now: number }): void {
  const context = { app, connection, imports: new Set<string>(), bounds: { stepMs: SWEEP_MS } }
  for (let isLeft = true; isLeft; ) {
    connection.beginWrite()
    isLeft = sweepCollections(context, { binnedBefore: now - DROPPED_COLLECTION_MS }) !== 'done'
    connection.run('COMMIT')
  }
}
