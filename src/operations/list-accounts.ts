import type { AccountRecord } from '../storage/account-records.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/** All accounts of the server, ordered by e-mail. @throws AppError `permission_denied` */
export async function listAccounts(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
): Promise<AccountRecord[]> {
  requireOperator(caller)
  return accounts.listAccounts()
}
