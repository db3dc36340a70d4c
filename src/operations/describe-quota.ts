import { NO_QUOTA, type Quota } from '../domain/quota.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { ownerOf } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface DescribedQuota {
  readonly limits: Quota
  /** Null is what nobody counts, for it has no limit, or what was not measured yet. */
  readonly used: Quota
}

type QuotaContext = Pick<AccountsContext, 'accounts'> & Partial<Pick<AccountsContext, 'quotaUses'>>

/** What the account that asks may have, and has, whatever its token may do. @throws AppError `account_not_found` */
export function describeQuota(context: QuotaContext, caller: AccountCaller): Promise<DescribedQuota> {
  return describeQuotaOf(context, caller.account)
}

/** The same of any account; of an operator, what has no owner. @throws AppError `account_not_found` */
export async function describeQuotaOf(
  { accounts, quotaUses }: QuotaContext,
  account: AccountRecord,
): Promise<DescribedQuota> {
  const owner = ownerOf(account)
  const counts = await accounts.countOwned(owner)
  if (owner === null) return { limits: NO_QUOTA, used: { ...NO_QUOTA, ...counts } }
  const { limits } = await accounts.findQuota(owner)
  return {
    limits,
    used: {
      ...counts,
      bytes:
        limits.bytes === null || quotaUses === undefined
          ? null
          : (quotaUses.bytesOf(owner) ?? (counts.apps === 0 ? 0 : null)),
      requestsPerDay: limits.requestsPerDay === null ? null : (quotaUses?.requestsOf(owner) ?? null),
    },
  }
}
