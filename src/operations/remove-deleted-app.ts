import { actorOf, requireRecentPassword } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { findDeletedApp } from './find-deleted-app.ts'
import type { AppInput } from './open-app.ts'

/**
 * Removes a deleted app with all of its documents before its time; that is its owner's to do.
 * @throws AppError `app_not_found`, `permission_denied`, `password_required`
 */
export async function removeDeletedApp(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  input: AppInput,
): Promise<void> {
  const deleted = await findDeletedApp(context, caller, input)
  requireRecentPassword(context, caller)
  await context.accounts.removeApp(deleted, actorOf(caller))
}
