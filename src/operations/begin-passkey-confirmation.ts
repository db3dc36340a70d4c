import type { RequestOptions } from '../credentials/passkeys.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { requirePasskeys } from './require-passkeys.ts'

/**
 * What a browser is asked so that who is signed in can show by a passkey of the account that it is still they.
 * @throws AppError `permission_denied` to a token, `invalid_passkey` where there are none
 */
export async function beginPasskeyConfirmation(
  context: AccountsContext,
  caller: AccountCaller,
): Promise<RequestOptions> {
  requireSession(caller)
  const { account, address } = caller
  const passkeys = await context.accounts.listPasskeys(account.id)
  return requirePasskeys(context).requestOptions(
    { purpose: 'confirm', account: account.id },
    { passkeys, address },
  )
}
