import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'
import type { KeptBackup } from '../../backup-store.ts'

/** Nothing else in the folder is ever looked at or removed. */
const NAME = /^sheaf-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.zip$/

/** What a backup is called that was made then, in milliseconds since the Unix epoch. */
export function backupName(madeAt: number): string {
  return `sheaf-${new Date(madeAt).toISOString().replace(/\.\d+|[-:]/g, '')}.zip`
}

/** The newest first. @throws AppError `store_unavailable` where there is no such folder, or it can't be read */
export async function keptBackups(folder: string): Promise<KeptBackup[]> {
  const kept: KeptBackup[] = []
  try {
    for (const name of await readdir(folder)) {
      const madeAt = timeOf(name)
      const found = madeAt === undefined ? undefined : await stat(join(folder, name))
      if (found?.isFile()) kept.push({ name, bytes: found.size, madeAt: madeAt! })
    }
  } catch (error) {
    throw new AppError('store_unavailable', "the folder of backups can't be read", { cause: error })
  }
  return kept.sort((one, other) => other.madeAt - one.madeAt)
}

/** Removes all but one that was just made and the newest others; a clock that was wrong may have made newer ones. */
export async function removeOldBackups(folder: string, kept: { made: string; keep: number }): Promise<void> {
  const others = (await keptBackups(folder)).filter(({ name }) => name !== kept.made)
  for (const { name } of others.slice(kept.keep - 1)) await rm(join(folder, name))
}

function timeOf(name: string): number | undefined {
  const [year, month, ...rest] = (NAME.exec(name) ?? []).slice(1).map(Number)
  if (year === undefined || month === undefined) return undefined
  const [day, hour, minute, second] = rest
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
