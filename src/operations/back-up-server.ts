import type { MadeBackup } from '../storage/backup-store.ts'
import { requireOperator, requireRecentPassword } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

export interface BackUpServerInput {
  readonly hasSecrets: boolean
  /** Whether no more is asked than if it may be made. */
  readonly isTrial: boolean
}

/**
 * Makes a backup of everything as a temporary file.
 * @returns undefined for a trial
 * @throws AppError `permission_denied`, `password_required`, and as `BackupService.make` does
 */
export async function backUpServer(
  context: Pick<AccountsContext, 'backups' | 'now'>,
  caller: Caller,
  { hasSecrets, isTrial }: BackUpServerInput,
): Promise<MadeBackup | undefined> {
  requireOperator(caller)
  requireRecentPassword(context, caller)
  return isTrial ? undefined : context.backups.make({ hasSecrets })
}
