import { accountActorOf, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** Ends the session; its secret lets nobody in from then on. @throws AppError `permission_denied` for a token */
export async function signOut(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Pick<AccountCaller, 'account' | 'session' | 'address'>,
): Promise<void> {
  const { id } = requireSession(caller)
  await accounts.endSession({ account: caller.account.id, id }, accountActorOf(caller))
}
