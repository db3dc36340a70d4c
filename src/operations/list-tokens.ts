import type { AccountToken } from '../storage/account-records.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** The account's tokens, ended ones among them, ordered by name. @throws AppError `permission_denied` to a token */
export async function listTokens(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<AccountToken[]> {
  requireSession(caller)
  return accounts.listTokens(caller.account.id)
}
