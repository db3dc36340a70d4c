import { checkSessionCredentials } from './check-session-credentials.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface ConfirmPasswordInput {
  readonly password: string
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined
}

/**
 * The password of the session's account, given again, and its code where there is a second factor: what does harm in the
 * wrong hands can be done for ten minutes more. It is limited as sign-ins are.
 * @throws AppError `permission_denied` to a token, and as `checkCredentials` does
 */
export async function confirmPassword(
  context: AccountsContext,
  caller: AccountCaller,
  input: ConfirmPasswordInput,
): Promise<void> {
  await checkSessionCredentials(context, caller, input)
}
