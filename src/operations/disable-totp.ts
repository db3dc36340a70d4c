import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Takes the second factor and its recovery codes from the account, where it has one, and ends all of its sessions but this
 * one.
 * @throws AppError `permission_denied` to a token, `password_required`
 */
export async function disableTotp(
  context: Pick<AccountsContext, 'accounts' | 'now' | 'mail'>,
  caller: AccountCaller,
): Promise<void> {
  const { id: keepSession } = requireSession(caller)
  requireRecentPassword(context, caller)
  const { id: account, hasTotp } = caller.account
  if (!hasTotp) return
  await context.accounts.disableTotp({ account, keepSession }, actorOf(caller))
  tellAccount(context, caller.account, { notice: 'totp-off', caller })
}
