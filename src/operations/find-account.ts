import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

/**
 * An account as an operator names it: by its id, or by its e-mail in whatever letter case.
 * @throws AppError `account_not_found`
 */
export async function findAccount(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  idOrEmail: string,
): Promise<AccountRecord> {
  // No id has an @, and every address has one.
  const by = idOrEmail.includes('@') ? { email: idOrEmail } : { id: idOrEmail }
  const account = await accounts.findAccount(by)
  if (account === undefined) throw new AppError('account_not_found', 'there is no such account')
  return account
}
