import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { openWaysIn } from './describe-ways-in.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Leaves an account without a password, where it has another way in, and ends all of its sessions but this one.
 * @throws AppError `permission_denied` to a token, `password_required`, `last_way_in`
 */
export async function removePassword(context: AccountsContext, caller: AccountCaller): Promise<void> {
  const { id: keepSession } = requireSession(caller)
  requireRecentPassword(context, caller)
  const { id } = caller.account
  await context.accounts.removePassword({ id, keepSession, open: openWaysIn(context) }, actorOf(caller))
  tellAccount(context, caller.account, { notice: 'password-off', caller })
}
