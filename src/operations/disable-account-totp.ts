import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { findAccountOfAnother } from './find-account-of-another.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Takes the second factor of somebody who has lost it away, with its recovery codes, and ends all sessions of the account.
 * @throws AppError `permission_denied`, `password_required`, `account_not_found`, `invalid_account` where it has none
 */
export async function disableAccountTotp(
  context: Pick<AccountsContext, 'accounts' | 'now' | 'mail'>,
  caller: Caller,
  input: {
    /** Its id or its e-mail. */
    readonly account: string
  },
): Promise<AccountRecord> {
  const account = await findAccountOfAnother(context, caller, input.account)
  if (!account.hasTotp) throw new AppError('invalid_account', 'this account has no second factor')
  await context.accounts.disableTotp({ account: account.id }, actorOf(caller))
  tellAccount(context, account, { notice: 'totp-off', caller })
  return { ...account, hasTotp: false }
}
