import { AppError } from '../errors.ts'
import type { AccountRecord, WaysIn } from '../storage/account-records.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { openWaysIn } from './describe-ways-in.ts'

export interface AccountDescription {
  readonly account: AccountRecord
  readonly waysIn: WaysIn
  /** Of the second factor, how many were not used yet. */
  readonly recoveryCodes: number
}

/** Who asks, whatever its token may do. @throws AppError `account_not_found` where it was deleted meanwhile */
export async function describeAccount(
  context: AccountsContext,
  caller: AccountCaller,
): Promise<AccountDescription> {
  const { accounts } = context
  const { id } = caller.account
  const credentials = await accounts.findCredentials({ id })
  if (credentials === undefined) throw new AppError('account_not_found', 'there is no such account')
  const waysIn = await accounts.findWaysIn({ account: id, open: openWaysIn(context) })
  return { account: credentials.account, waysIn, recoveryCodes: credentials.recoveryCodes }
}
