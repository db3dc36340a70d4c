import { renameSync } from 'node:fs'
import type { MadeBackup, ReadApp } from '../backup-store.ts'
import { type MakeBackupCommand, makeBackup } from './backup/make-backup.ts'
import { type ReadAppCommand, readApp } from './backup/read-app.ts'
import { makeTemporaryFolder, temporaryFile } from './files/temporary-folder.ts'

/** What the thread of backups is asked for. */
export type BackupJob =
  | { readonly kind: 'make'; readonly command: MakeBackupCommand }
  | { readonly kind: 'read'; readonly dataDir: string; readonly command: Omit<ReadAppCommand, 'folder'> }

export async function doBackupJob(job: BackupJob): Promise<MadeBackup | ReadApp> {
  if (job.kind === 'make') return makeBackup(job.command)
  const folder = makeTemporaryFolder(job.dataDir)
  try {
    const read = await readApp({ ...job.command, folder: folder.path })
    const path = temporaryFile(job.dataDir, 'app.sqlite')
    renameSync(read.path, path)
    return { ...read, path }
  } finally {
    folder.remove()
  }
}
