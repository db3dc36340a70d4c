import { foldEmail } from '../domain/accounts.ts'
import type { AccountCredentials } from '../storage/account-records.ts'
import { requireSession } from './authorise-caller.ts'
import { checkCredentials } from './check-credentials.ts'
import type { ConfirmPasswordInput } from './confirm-password.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/**
 * Whether the password, and the code where there is a second factor, are those of the session's account; if so, they were
 * given just now. What they were checked by stays where passwords are: no other thread has a use for it.
 * @throws AppError `permission_denied` to a token, and as `checkCredentials` does
 */
export async function checkSessionCredentials(
  context: AccountsContext,
  caller: AccountCaller,
  { password, code }: ConfirmPasswordInput,
): Promise<AccountCredentials> {
  const { id } = requireSession(caller)
  const email = foldEmail(caller.account.email)
  const credentials = await checkCredentials(context, { email, password, code, address: caller.address })
  await context.accounts.touchSession({ id, isAuthenticated: true })
  return credentials
}
