import type { AlertCondition } from '../domain/alerts.ts'
import { durationText } from '../domain/duration.ts'
import { isoTime } from '../domain/iso-time.ts'
import { backupOutcomes } from './backup-outcomes.ts'
import type { AccountsContext } from './context.ts'

/** A backup that is made often may be late by this. */
const LATE_MS = 60 * 60 * 1000

/**
 * What is wrong with the backups by the clock: the last one failed, or none has been made for twice as long as the schedule
 * says, by a server that was there.
 * @param startedAt when the process started, in milliseconds since the Unix epoch
 * @throws AppError `store_unavailable`
 */
export async function backupConditions(
  { accounts, backups, now }: Pick<AccountsContext, 'accounts' | 'backups' | 'now'>,
  startedAt: number,
): Promise<AlertCondition[]> {
  const { schedule } = backups
  if (schedule?.everyMs === undefined) return []
  const { folder, everyMs } = schedule
  const { success, failure } = await backupOutcomes(accounts)
  const subject = folder
  if (failure !== null && failure.at >= (success?.at ?? 0))
    return [{ subject, message: `the last backup into ${folder} failed: ${failure.message}` }]
  const lastAt = success?.at ?? 0
  const isLate = now() - Math.max(lastAt, startedAt) > everyMs + Math.max(everyMs, LATE_MS)
  if (!isLate || lastAt > now()) return []
  const last = lastAt === 0 ? 'none has been made yet' : `the last one is of ${isoTime(lastAt)}`
  return [
    { subject, message: `the backup into ${folder}, every ${durationText(everyMs)}, is overdue: ${last}` },
  ]
}
