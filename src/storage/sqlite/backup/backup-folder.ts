import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../errors.ts'
import type { KeptBackup } from '../../backup-store.ts'

/** Nothing but these and what of them is unfinished is ever looked at or removed. */
const NAME = /^sheaf-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.zip$/
const UNFINISHED = /^\.sheaf-\d{8}T\d{6}Z\.zip\.(\d{1,10})\.unfinished$/
/** Another server, whose processes can't be seen from here, may be at one that was written to lately. */
const YOUNG_MS = 60 * 60 * 1000

/** What a backup is called while this process writes it, beside its place. */
export function unfinishedName(name: string): string {
  return `.${name}.${process.pid}.unfinished`
}

/** Removes what killed servers have left. What can't be removed holds nothing up. @param now as `backupName` */
export async function removeUnfinished(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = UNFINISHED.exec(name)?.[1]
    if (pid === undefined || isOfAnother(Number(pid))) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => undefined)
    if (found?.isFile() && now - found.mtimeMs >= YOUNG_MS) await rm(path).catch(() => undefined)
  }
}

/** Whether a process that is not this one is alive. */
function isOfAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

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

/**
 * Removes all but one that was just made and the newest others. Those with a time to come, of a clock that was wrong, neither
 * count nor go: they would push out good ones.
 * @param kept with the time as `backupName` has it
 */
export async function removeOldBackups(
  folder: string,
  kept: { readonly made: string; readonly keep: number; readonly now: number },
): Promise<void> {
  const all = await keptBackups(folder)
  const others = all.filter(({ name, madeAt }) => name !== kept.made && madeAt <= kept.now)
  for (const { name } of others.slice(kept.keep - 1)) await rm(join(folder, name))
}

function timeOf(name: string): number | undefined {
  const [year, month, ...rest] = (NAME.exec(name) ?? []).slice(1).map(Number)
  if (year === undefined || month === undefined) return undefined
  const [day, hour, minute, second] = rest
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
