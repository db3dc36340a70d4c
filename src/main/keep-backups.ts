import type { BackupConfig } from '../config/backups.ts'
import type { Log } from '../http/log/log.ts'
import { removeUnfinished } from '../storage/sqlite/backup/backup-folder.ts'
import { backupFolderProblem } from '../storage/sqlite/backup/backup-folder-problem.ts'

/** How often it is looked whether a backup is due. */
export const LOOK_MS = 60 * 1000
/** A start has better things to do. */
const FIRST_MS = 10 * 1000

/**
 * Has backups made as the schedule says, on a thread that may wait for the disk, and removes what a killed server has left of
 * one. A folder in which none can be made yet is told of.
 * @returns ends it
 */
export function keepBackups(
  { backups }: { readonly backups: BackupConfig | undefined },
  { accounts, log }: { readonly accounts: { backUp(): void }; readonly log: Pick<Log, 'warn'> },
): () => void {
  const problem = backups && backupFolderProblem(backups.folder)
  if (problem !== undefined) log.warn(`no backup can be made: ${problem} (--backup-dir)`)
  if (backups !== undefined) void removeUnfinished(backups.folder, Date.now())
  if (backups?.everyMs === undefined) return () => {}
  const first = setTimeout(() => accounts.backUp(), FIRST_MS).unref()
  const timer = setInterval(() => accounts.backUp(), LOOK_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
