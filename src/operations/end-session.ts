import { accountActorOf, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/**
 * Ends a session of the account, of which nothing is left to be seen.
 * @returns whether there was one
 * @throws AppError `permission_denied` to a token
 */
export async function endSession(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { id }: { readonly id: string },
): Promise<boolean> {
  requireSession(caller)
  return accounts.endSession({ account: caller.account.id, id }, accountActorOf(caller))
}
