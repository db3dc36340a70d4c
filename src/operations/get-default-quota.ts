import type { Quota } from '../domain/quota.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/** What an account may have for which nothing else is set. @throws AppError `permission_denied` */
export async function getDefaultQuota(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
): Promise<Quota> {
  requireOperator(caller)
  return accounts.findDefaultQuota()
}
