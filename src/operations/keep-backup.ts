import { isoTime } from '../domain/iso-time.ts'
import { AppError } from '../errors.ts'
import type { KeptBackup } from '../storage/backup-store.ts'
import { requireOperator } from './authorise-caller.ts'
import { backupOutcomes, noteBackup, noteFailedBackup } from './backup-outcomes.ts'
import type { AccountsContext, Caller } from './context.ts'

type BackupContext = Pick<AccountsContext, 'accounts' | 'backups' | 'now'>

export type DescribedBackup = Omit<KeptBackup, 'madeAt'> & { readonly madeAt: string }

/** After a failure it is tried again, sooner than the schedule says. */
const RETRY_MS = 10 * 60 * 1000

/** How long after a failure it is tried again. */
export function retryMs(everyMs: number): number {
  return Math.min(RETRY_MS, everyMs)
}
/** One that waits for so long is told of. */
const OVERDUE_MS = 10 * 60 * 1000

/**
 * Makes a backup of everything in the folder of the schedule, and writes down what became of it.
 * @throws AppError `permission_denied`, `invalid_request` where there is no such folder, and as `BackupService.keep` does
 */
export async function keepBackup(
  { accounts, backups, now }: BackupContext,
  caller: Caller,
): Promise<DescribedBackup> {
  requireOperator(caller)
  try {
    const made = await backups.keep()
    await noteBackup(accounts, made)
    return { name: made.path.split('/').at(-1)!, bytes: made.bytes, madeAt: isoTime(made.madeAt) }
  } catch (error) {
    // Where that can't be written down either, the log has it.
    if (backups.schedule !== undefined) await noteFailedBackup(accounts, now(), error).catch(() => undefined)
    throw error
  }
}

/**
 * Makes one where the schedule says so.
 * @throws AppError as `keepBackup` does, `overloaded` where the last one that was asked for still waits for its turn
 */
export async function keepDueBackup(context: BackupContext, caller: Caller): Promise<void> {
  const next = await nextBackup(context)
  if (next === undefined || next > context.now()) return
  const underWay = context.backups.underWay()
  if (underWay === undefined) await keepBackup(context, caller)
  else if (!underWay.hasBegun && context.now() - underWay.since >= OVERDUE_MS) {
    const overdue = new AppError(
      'overloaded',
      'a backup is overdue: it waits for others that are being made or restored, and begins after them',
    )
    await noteFailedBackup(context.accounts, context.now(), overdue)
    throw overdue
  }
}

/**
 * When the next one is due, in milliseconds since the Unix epoch; undefined where the schedule has no clock.
 * @throws AppError `store_unavailable`
 */
export async function nextBackup({ accounts, backups, now }: BackupContext): Promise<number | undefined> {
  const everyMs = backups.schedule?.everyMs
  if (everyMs === undefined) return undefined
  const { failure } = await backupOutcomes(accounts)
  // A clock that was wrong must not put it off until its time has come.
  const newest = (await backups.kept().catch(() => [])).find(({ madeAt }) => madeAt <= now())
  const due = newest === undefined ? 0 : newest.madeAt + everyMs
  const isFailing = failure !== null && failure.at >= (newest?.madeAt ?? 0) && failure.at <= now()
  return isFailing ? Math.max(due, failure.at + retryMs(everyMs)) : due
}
