import type { AccountIdentity } from '../storage/account-records.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** What the account is connected with. @throws AppError `permission_denied` to a token */
export async function listIdentities(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<AccountIdentity[]> {
  requireSession(caller)
  return accounts.listIdentities(caller.account.id)
}
