import type { MadeBackup } from '../storage/backup-store.ts'
import { authoriseCaller, requireRecentPassword } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { AppInput } from './open-app.ts'

/** Who made one, and when, is no part of the audit trail: it changes nothing. */
export type BackUpAppInput = AppInput & {
  /** Whether no more is asked than if it may be made. */
  readonly isTrial: boolean
}

/**
 * Makes a backup of one app as a temporary file, for its owner: the hashes of its keys are in it.
 * @returns undefined for a trial
 * @throws AppError `app_not_found`, `permission_denied`, `password_required`, and as `BackupService.make` does
 */
export async function backUpApp(
  context: Pick<AccountsContext, 'accounts' | 'backups' | 'now'>,
  caller: Caller,
  { app: slug, isTrial }: BackUpAppInput,
): Promise<MadeBackup | undefined> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  requireRecentPassword(context, caller)
  return isTrial ? undefined : context.backups.make({ app: app.id, hasSecrets: false })
}
