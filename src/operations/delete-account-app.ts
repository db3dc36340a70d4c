import { actorOf, authoriseCaller, requireRecentPassword } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/**
 * Deletes an app, which can be restored for a while; that is its owner's to do.
 * @throws AppError `app_not_found`, `permission_denied`, `password_required`
 */
export async function deleteAccountApp(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<void> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  requireRecentPassword(context, caller)
  await context.accounts.deleteApp(app, actorOf(caller))
}
