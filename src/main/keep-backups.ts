import type { BackupConfig } from '../config/backups.ts'
import { removeUnfinished } from '../storage/sqlite/backup/backup-folder.ts'

/** How often it is looked whether a backup is due. */
const LOOK_MS = 60 * 1000
/** A start has better things to do. */
const FIRST_MS = 10 * 1000

/**
 * Has backups made as the schedule says, on a thread that may wait for the disk, and removes what a killed server has left of
 * one.
 * @returns ends it
 */
export function keepBackups(
  { backups }: { readonly backups: BackupConfig | undefined },
  accounts: { backUp(): void },
): () => void {
  if (backups !== undefined) void removeUnfinished(backups.folder, Date.now())
  if (backups?.everyMs === undefined) return () => {}
  const first = setTimeout(() => accounts.backUp(), FIRST_MS).unref()
  const timer = setInterval(() => accounts.backUp(), LOOK_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
