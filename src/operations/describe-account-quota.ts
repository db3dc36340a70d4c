import type { OwnQuota } from '../domain/quota.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedQuota, describeQuotaOf } from './describe-quota.ts'
import { findAccount } from './find-account.ts'

export interface DescribedAccountQuota extends DescribedQuota {
  /** What is set for it alone; null where nothing is. */
  readonly own: OwnQuota | null
}

/**
 * What an account may have, and has, for operators.
 * @param input the account by its id or its e-mail
 * @throws AppError `permission_denied`, `account_not_found`
 */
export async function describeAccountQuota(
  context: Pick<AccountsContext, 'accounts'> & Partial<Pick<AccountsContext, 'quotaUses'>>,
  caller: Caller,
  input: { readonly account: string },
): Promise<DescribedAccountQuota> {
  requireOperator(caller)
  const account = await findAccount(context, input.account)
  const { own } = await context.accounts.findQuota(account.id)
  return { own, ...(await describeQuotaOf(context, account)) }
}
