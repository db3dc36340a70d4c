import { requireTokenPermission } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedApp, describeAccountApps } from './describe-account-apps.ts'

/** The apps of an account, and those that are shared with it, ordered by slug. @throws AppError `permission_denied` */
export async function listAccountApps(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<DescribedApp[]> {
  requireTokenPermission(caller, 'read')
  return describeAccountApps(accounts, await accounts.listAppsOf(caller.account.id))
}
