import { durationText } from '../domain/duration.ts'
import { isoTime } from '../domain/iso-time.ts'
import { requireOperator } from './authorise-caller.ts'
import { type BackupOutcomes, backupOutcomes } from './backup-outcomes.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedBackup, nextBackup } from './keep-backup.ts'

export interface DescribedBackups {
  /** Of the schedule; null where there is none, and then all that follows has nothing. */
  readonly folder: string | null
  /** Such as `1d`; null where backups are made only when somebody asks for one. */
  readonly every: string | null
  readonly keep: number | null
  readonly nextAt: string | null
  /** Whether one waits for its turn in the folder, or is being made there. */
  readonly isUnderWay: boolean
  readonly lastSuccess: { readonly at: string; readonly name: string; readonly bytes: number } | null
  /** Null where the last one went well. */
  readonly lastFailure: { readonly at: string; readonly message: string } | null
  /** The newest first. */
  readonly backups: readonly DescribedBackup[]
}

/**
 * The schedule, and what there is in its folder.
 * @throws AppError `permission_denied`
 */
export async function listBackups(
  context: Pick<AccountsContext, 'accounts' | 'backups' | 'now'>,
  caller: Caller,
): Promise<DescribedBackups> {
  requireOperator(caller)
  const { accounts, backups } = context
  const { schedule } = backups
  const outcomes = await backupOutcomes(accounts)
  // A folder that can't be read has none, and the last failure says why.
  const kept = schedule === undefined ? [] : await backups.kept().catch(() => [])
  const next = await nextBackup(context)
  return {
    folder: schedule?.folder ?? null,
    every: schedule?.everyMs === undefined ? null : durationText(schedule.everyMs),
    keep: schedule?.keep ?? null,
    nextAt: next === undefined ? null : isoTime(Math.max(next, context.now())),
    isUnderWay: backups.underWay() !== undefined,
    ...described(outcomes),
    backups: kept.map(({ madeAt, ...file }) => ({ ...file, madeAt: isoTime(madeAt) })),
  }
}

function described({
  success,
  failure,
}: BackupOutcomes): Pick<DescribedBackups, 'lastSuccess' | 'lastFailure'> {
  const isFailing = failure !== null && failure.at >= (success?.at ?? 0)
  return {
    lastSuccess: success && { ...success, at: isoTime(success.at) },
    lastFailure: isFailing ? { ...failure, at: isoTime(failure.at) } : null,
  }
}
