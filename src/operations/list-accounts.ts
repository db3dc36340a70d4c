import type { AccountFilter, AccountRecord } from '../storage/account-records.ts'
import { requireOperator } from './authorise-caller.ts'
import { checkListInput } from './check-list-input.ts'
import type { AccountsContext, Caller } from './context.ts'

/**
 * The accounts of the server, ordered by e-mail.
 * @param filter `limit` is 1,000 at most; all of them without it
 * @throws AppError `permission_denied`, `invalid_parameter`
 */
export async function listAccounts(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  filter: AccountFilter = {},
): Promise<AccountRecord[]> {
  requireOperator(caller)
  checkListInput(filter)
  return accounts.listAccounts(filter)
}
