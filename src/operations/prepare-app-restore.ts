import { appSlug } from '../domain/names.ts'
import type { Upload } from '../storage/backup-store.ts'
import { requireRecentPassword, requireTokenPermission } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/**
 * Whether a caller may make an app of a backup that is about to be sent, and where that may be written to.
 * @throws AppError `permission_denied`, `password_required`, `invalid_name`, `overloaded`
 */
export async function prepareAppRestore(
  context: Pick<AccountsContext, 'backups' | 'now'>,
  caller: Caller,
  { slug }: { readonly slug: string },
): Promise<Upload> {
  if (caller.kind === 'account') requireTokenPermission(caller, 'apps')
  requireRecentPassword(context, caller)
  appSlug(slug)
  return context.backups.prepareUpload(caller.kind === 'account' ? caller.account.id : caller.actor)
}
