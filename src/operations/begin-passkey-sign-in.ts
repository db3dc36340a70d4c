import type { RequestOptions } from '../credentials/passkeys.ts'
import type { AccountsContext } from './context.ts'
import { requirePasskeys } from './require-passkeys.ts'

/**
 * What a browser is asked so that somebody can sign in by whichever passkey they have for this server.
 * @throws AppError `invalid_passkey` where there are none
 */
export async function beginPasskeySignIn(
  context: Pick<AccountsContext, 'passkeys'>,
  { address }: { readonly address: string },
): Promise<RequestOptions> {
  return requirePasskeys(context).requestOptions({ purpose: 'sign-in' }, { passkeys: [], address })
}
