import type { DeletedApp } from '../storage/account-records.ts'
import { appNotFound } from './authorise.ts'
import { requireTokenPermission } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/**
 * A deleted app that is the account's to restore: its own, of an operator also those of all operators. With whom it is
 * shared has no part in it until then.
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function findDeletedApp(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<DeletedApp> {
  requireTokenPermission(caller, 'apps')
  const found = (await accounts.listDeletedAppsOf(caller.account.id)).find((app) => app.slug === slug)
  if (found === undefined) throw appNotFound()
  return found
}
