import { passwordProblem } from '../credentials/password-rules.ts'
import { AppError } from '../errors.ts'
import type { CheckedCredentials } from '../storage/account-records.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import { checkSessionCredentials } from './check-session-credentials.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { tellAccount } from './tell-account.ts'

export interface ChangePasswordInput {
  /** Left out where the account has none. */
  readonly current?: string | undefined
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined
  readonly password: string
}

/**
 * Gives an account another password, by the one that it has, and ends all of its sessions but this one. Where it has none,
 * it was confirmed by another way in.
 * @throws AppError `permission_denied` to a token, `invalid_account`, `password_required` and `wrong_password` without the
 * current one, and as `checkCredentials` does
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
  const checked =
    current === undefined
      ? await withoutPassword(context, caller)
      : await checkSessionCredentials(context, caller, { password: current, code })
  const kept = await context.passwords.hash(password, caller.address)
  // Whoever was put out by another change in these moments must not undo it.
  await context.accounts.updateAccount({ id, checked, password: kept, keepSession }, actorOf(caller))
  tellAccount(context, caller.account, { notice: 'password', caller })
}

/** @throws AppError `password_required`, `wrong_password` where there is a password */
async function withoutPassword(context: AccountsContext, caller: AccountCaller): Promise<CheckedCredentials> {
  requireRecentPassword(context, caller)
  const credentials = await context.accounts.findCredentials({ id: caller.account.id })
  if (credentials === undefined || credentials.password !== '')
    throw new AppError('wrong_password', 'this account has a password; give it as current')
  return credentials
}
