import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { openWaysIn } from './describe-ways-in.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Has an identity let nobody in to the account any more, and ends all sessions of it but this one.
 * @throws AppError `permission_denied` to a token, `password_required`, `identity_not_found`, `last_way_in`
 */
export async function disconnectIdentity(
  context: AccountsContext,
  caller: AccountCaller,
  { id }: { readonly id: string },
): Promise<void> {
  const { id: keepSession } = requireSession(caller)
  requireRecentPassword(context, caller)
  await context.accounts.disconnectIdentity(
    { account: caller.account.id, id, keepSession, open: openWaysIn(context) },
    actorOf(caller),
  )
  tellAccount(context, caller.account, { notice: 'identity-off', caller })
}
