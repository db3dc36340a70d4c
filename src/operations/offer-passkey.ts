import type { CreationOptions } from '../credentials/passkeys.ts'
import { requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { requirePasskeys } from './require-passkeys.ts'

/**
 * What a browser is asked so that an authenticator makes a passkey for the account, which `createPasskey` keeps.
 * @throws AppError `permission_denied` to a token, `password_required`, `invalid_passkey` where there are none
 */
export async function offerPasskey(
  context: AccountsContext,
  caller: AccountCaller,
): Promise<CreationOptions> {
  requireSession(caller)
  requireRecentPassword(context, caller)
  const { account, address } = caller
  const passkeys = await context.accounts.listPasskeys(account.id)
  return requirePasskeys(context).creationOptions(account, { passkeys, address })
}
