import { actorOf, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** Ends a token of the account for good. @throws AppError `permission_denied` to a token, `token_not_found` */
export async function deleteToken(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { id }: { readonly id: string },
): Promise<void> {
  requireSession(caller)
  await accounts.deleteToken({ account: caller.account.id, id }, actorOf(caller))
}
