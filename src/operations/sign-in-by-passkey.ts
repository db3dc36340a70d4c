import type { Assertion } from '../credentials/passkeys.ts'
import { beginSession, type SignedIn } from './begin-session.ts'
import { checkPasskey } from './check-passkey.ts'
import type { AccountsContext } from './context.ts'

export interface SignInByPasskeyInput extends Assertion {
  /** Where the request comes from. */
  readonly address: string
  readonly userAgent: string
}

/**
 * Begins a session of the account whose passkey that is. The authenticator has seen to who holds it, so that no code of a
 * second factor is asked for.
 * @throws AppError as `checkPasskey` does
 */
export async function signInByPasskey(
  context: AccountsContext,
  { address, userAgent, ...assertion }: SignInByPasskeyInput,
): Promise<SignedIn> {
  const checked = await checkPasskey(context, assertion, { purpose: 'sign-in', address })
  return beginSession(context, checked, { address, userAgent, way: 'passkey' })
}
