import { actorOf } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedApp, describeAccountApps } from './describe-account-apps.ts'
import { findDeletedApp } from './find-deleted-app.ts'
import type { AppInput } from './open-app.ts'

/**
 * Brings a deleted app back, with its documents, shares and keys as they are; that is its owner's to do.
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function restoreAccountApp(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  input: AppInput,
): Promise<DescribedApp> {
  const deleted = await findDeletedApp(context, caller, input)
  const app = await context.accounts.restoreApp(deleted, actorOf(caller))
  const [described] = await describeAccountApps(context.accounts, [{ app, role: 'owner' }])
  return described!
}
