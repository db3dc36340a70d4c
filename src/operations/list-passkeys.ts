import type { PasskeyRecord } from '../storage/account-records.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** The oldest first. @throws AppError `permission_denied` to a token */
export async function listPasskeys(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<PasskeyRecord[]> {
  requireSession(caller)
  return accounts.listPasskeys(caller.account.id)
}
