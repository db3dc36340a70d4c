import { appSlug } from '../domain/names.ts'
import type { Upload } from '../storage/backup-store.ts'
import { ownerOf, requireRecentPassword, requireTokenPermission } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { requireRoomOf } from './require-room-of.ts'

/**
 * Whether a caller may make an app of a backup that is about to be sent, and where that may be written to.
 * @throws AppError `permission_denied`, `password_required`, `invalid_name`, `quota_exceeded`, `rate_limited`, `overloaded`
 */
export async function prepareAppRestore(
  context: Pick<AccountsContext, 'accounts' | 'backups' | 'quotaUses' | 'now'>,
  caller: Caller,
  { slug }: { readonly slug: string },
): Promise<Upload> {
  if (caller.kind === 'account') requireTokenPermission(caller, 'apps')
  requireRecentPassword(context, caller)
  appSlug(slug)
  await requireRoomOf(context, caller, {
    owner: caller.kind === 'account' ? ownerOf(caller.account) : null,
    bytes: 1,
  })
  return context.backups.prepareUpload(caller.kind === 'account' ? caller.account.id : caller.actor)
}
