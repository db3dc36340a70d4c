import { foldEmail } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountCredentials } from '../storage/account-records.ts'
import { requireSession } from './authorise-caller.ts'
import { checkCredentials } from './check-credentials.ts'
import type { ConfirmPasswordInput } from './confirm-password.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/**
 * Whether the password, and the code where there is a second factor, are those of the session's account; if so, they were
 * given just now. What they were checked by stays where passwords are: no other thread has a use for it.
 * @throws AppError `permission_denied` to a token, `wrong_password`, and as `checkCredentials` does
 */
export async function checkSessionCredentials(
  context: AccountsContext,
  caller: AccountCaller,
  { password, code }: ConfirmPasswordInput,
): Promise<AccountCredentials> {
  const { id } = requireSession(caller)
  const email = foldEmail(caller.account.email)
  const given = { email, password, code, address: caller.address }
  const credentials = await checkCredentials(context, given).catch((error: unknown) => {
    throw isWrong(error) ? wrongPassword() : error
  })
  await context.accounts.touchSession({ id, isAuthenticated: true })
  return credentials
}

function isWrong(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid_credentials'
}

/** Another code than that of a session that has ended: whoever hears it is still signed in. */
function wrongPassword(): AppError {
  return new AppError('wrong_password', 'the password or the code is wrong; a code is good once')
}
