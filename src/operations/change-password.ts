import { passwordProblem } from '../credentials/password-rules.ts'
import { AppError } from '../errors.ts'
import { actorOf, requireSession } from './authorise-caller.ts'
import { checkSessionCredentials } from './check-session-credentials.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface ChangePasswordInput {
  readonly current: string
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined
  readonly password: string
}

/**
 * Gives an account another password, by the one that it has, and ends all of its sessions but this one.
 * @throws AppError `permission_denied` to a token, `invalid_account`, and as `checkCredentials` does
 */
export async function changePassword(
  context: AccountsContext,
  caller: AccountCaller,
  { current, code, password }: ChangePasswordInput,
): Promise<void> {
  const { id: keepSession } = requireSession(caller)
  const { id, email } = caller.account
  // Before a code is used up.
  const problem = passwordProblem(password, { email })
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  const checked = await checkSessionCredentials(context, caller, { password: current, code })
  const kept = await context.passwords.hash(password, caller.address)
  // Whoever was put out by another change in these moments must not undo it.
  await context.accounts.updateAccount({ id, checked, password: kept, keepSession }, actorOf(caller))
}
