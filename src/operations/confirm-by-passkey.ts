import type { Assertion } from '../credentials/passkeys.ts'
import { AppError } from '../errors.ts'
import { requireSession } from './authorise-caller.ts'
import { checkPasskey } from './check-passkey.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/**
 * Shows by a passkey of the session's account that it is still who signed in, as `confirmPassword` does by the password.
 * @throws AppError `permission_denied` to a token, `wrong_password` where the passkey is not good, and as `checkPasskey` does
 */
export async function confirmByPasskey(
  context: AccountsContext,
  caller: AccountCaller,
  assertion: Assertion,
): Promise<void> {
  const { id } = requireSession(caller)
  const { account, address } = caller
  try {
    const { passkey } = await checkPasskey(context, assertion, {
      ...{ purpose: 'confirm', account: account.id, address },
    })
    await context.accounts.usePasskey({ ...passkey, account: account.id })
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid_credentials' ? wrongPasskey() : error
  }
  await context.accounts.touchSession({ id, isAuthenticated: true })
}

/** Another code than that of a session that has ended: whoever hears it is still signed in. */
function wrongPasskey(): AppError {
  return new AppError('wrong_password', 'that is no passkey of this account, or it was asked too long ago')
}
