import { NO_QUOTA, type Quota, readQuota } from '../domain/quota.ts'
import { actorOf, requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { QuotaInput } from './set-account-quota.ts'

/**
 * Sets what an account may have for which nothing else is set; what is left out is not limited. What accounts have already
 * stays.
 * @throws AppError `permission_denied`, `invalid_parameter`
 */
export async function setDefaultQuota(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { quota: given }: { readonly quota: QuotaInput },
): Promise<Quota> {
  requireOperator(caller)
  const quota = { ...NO_QUOTA, ...readQuota(given) }
  await accounts.putDefaultQuota(quota, actorOf(caller))
  return quota
}
