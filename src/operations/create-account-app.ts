import { actorOf, ownerOf, requireTokenPermission } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { createApp } from './create-app.ts'
import { type DescribedApp, describeAccountApps } from './describe-account-apps.ts'

/**
 * Makes an app, which is the account's, or the operator's where an operator makes it.
 * @throws AppError `permission_denied`, `invalid_name`, `app_exists`, `too_many_apps`
 */
export async function createAccountApp(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  { slug }: { readonly slug: string },
): Promise<DescribedApp> {
  requireTokenPermission(caller, 'apps')
  const owner = ownerOf(caller.account)
  const app = await createApp({ control: accounts, actor: actorOf(caller), owner, now }, slug)
  const [described] = await describeAccountApps(accounts, [{ app, role: 'owner' }])
  return described!
}
