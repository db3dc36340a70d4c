import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface AccountDescription {
  readonly account: AccountRecord
  readonly hasPassword: boolean
  /** Of the second factor, how many were not used yet. */
  readonly recoveryCodes: number
}

/** Who asks, whatever its token may do. @throws AppError `account_not_found` where it was deleted meanwhile */
export async function describeAccount(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<AccountDescription> {
  const credentials = await accounts.findCredentials({ id: caller.account.id })
  if (credentials === undefined) throw new AppError('account_not_found', 'there is no such account')
  const { account, password, recoveryCodes } = credentials
  return { account, hasPassword: password !== '', recoveryCodes }
}
