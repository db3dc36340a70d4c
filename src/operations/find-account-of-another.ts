import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { requireOperator, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { findAccount } from './find-account.ts'

/**
 * The account, by its id or its e-mail, to whose sign-in an operator is about to do something. What somebody signs in by no
 * token may touch, and one's own is changed by what proves to be oneself.
 * @throws AppError `permission_denied`, `password_required`, `account_not_found`
 */
export async function findAccountOfAnother(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: Caller,
  idOrEmail: string,
): Promise<AccountRecord> {
  requireOperator(caller)
  if (caller.kind === 'account') requireSession(caller)
  requireRecentPassword(context, caller)
  const account = await findAccount(context, idOrEmail)
  if (caller.kind === 'account' && caller.account.id === account.id)
    throw new AppError('permission_denied', 'this is your own account; change it on its own page')
  return account
}
