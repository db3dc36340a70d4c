import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { openWaysIn } from './describe-ways-in.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Takes a passkey from the account, and ends all of its sessions but this one: the authenticator may be lost, and one may
 * have been begun by it.
 * @throws AppError `permission_denied` to a token, `password_required`, `passkey_not_found`, `last_way_in`
 */
export async function deletePasskey(
  context: AccountsContext,
  caller: AccountCaller,
  { id }: { readonly id: string },
): Promise<void> {
  const { id: keepSession } = requireSession(caller)
  requireRecentPassword(context, caller)
  const which = { account: caller.account.id, id, keepSession, open: openWaysIn(context) }
  await context.accounts.deletePasskey(which, actorOf(caller))
  tellAccount(context, caller.account, { notice: 'passkey-off', caller })
}
