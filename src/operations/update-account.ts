import { accountNameProblem, emailProblem } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { tellAccount } from './tell-account.ts'

export interface UpdateAccountInput {
  readonly name?: string | undefined
  /** By which it signs in; with it go links that were made for the account. */
  readonly email?: string | undefined
}

/**
 * Changes what is given, and leaves the rest.
 * @throws AppError `permission_denied` to a token, `invalid_account`, `password_required` for the address,
 * `account_exists`
 */
export async function updateAccount(
  context: Pick<AccountsContext, 'accounts' | 'now' | 'mail'>,
  caller: AccountCaller,
  { name, email }: UpdateAccountInput,
): Promise<AccountRecord> {
  requireSession(caller)
  if (email !== undefined) requireRecentPassword(context, caller)
  const problem =
    (name !== undefined ? accountNameProblem(name) : undefined) ??
    (email !== undefined ? emailProblem(email) : undefined) ??
    (name === undefined && email === undefined ? 'there is nothing to change; give name or email' : undefined)
  if (problem !== undefined) throw new AppError('invalid_account', problem)
  const change = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
  const changed = await context.accounts.updateAccount({ id: caller.account.id, ...change }, actorOf(caller))
  // At the address that it had: whoever reads the new one knows.
  if (changed.email !== caller.account.email)
    tellAccount(context, caller.account, { notice: 'email', caller })
  return changed
}
