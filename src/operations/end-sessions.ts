import { accountActorOf, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/**
 * Ends all sessions of the account, or all others.
 * @returns how many
 * @throws AppError `permission_denied` to a token
 */
export async function endSessions(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { keepCurrent }: { readonly keepCurrent: boolean },
): Promise<number> {
  const { id } = requireSession(caller)
  const which = { account: caller.account.id, ...(keepCurrent && { keepSession: id }) }
  return accounts.endSessions(which, accountActorOf(caller))
}
