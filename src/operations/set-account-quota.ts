import { type Quota, readQuota } from '../domain/quota.ts'
import { AppError } from '../errors.ts'
import { actorOf, requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedAccountQuota, describeAccountQuota } from './describe-account-quota.ts'
import { findAccount } from './find-account.ts'

export type QuotaInput = Readonly<Partial<Record<keyof Quota, number | null | undefined>>>

export interface AccountQuotaInput {
  /** Its id or its e-mail. */
  readonly account: string
  /** What is left out is as for all; null leaves all of it so. */
  readonly quota: QuotaInput | null
}

/**
 * Sets what one account may have. What it has already stays.
 * @throws AppError `permission_denied`, `account_not_found`, `invalid_account` for an operator, `invalid_parameter`
 */
export async function setAccountQuota(
  context: Pick<AccountsContext, 'accounts'> & Partial<Pick<AccountsContext, 'quotaUses'>>,
  caller: Caller,
  { account: idOrEmail, quota: given }: AccountQuotaInput,
): Promise<DescribedAccountQuota> {
  requireOperator(caller)
  const { id, isOperator } = await findAccount(context, idOrEmail)
  if (isOperator && given !== null)
    throw new AppError('invalid_account', "an operator has no quota, for what it makes is the server's own")
  const quota = given === null ? null : readQuota(given)
  await context.accounts.putQuota({ account: id, quota }, actorOf(caller))
  return describeAccountQuota(context, caller, { account: id })
}
