import { isLimited } from '../domain/quota.ts'
import type { AccountsContext, Caller } from './context.ts'

/** What becomes of an account's apps when it is deleted. */
export const FATES = ['delete', 'operator'] as const

export type FateOfApps = (typeof FATES)[number]

/**
 * Those that a caller may choose for an account. What the operator owns has no quota, so that an account with one would get rid
 * of it by leaving: its keys would go on without any limit.
 * @param id of the account
 * @throws AppError `account_not_found`
 */
export async function fatesOfApps(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  id: string,
): Promise<readonly FateOfApps[]> {
  if (caller.kind === 'command-line' || caller.account.isOperator) return FATES
  const { limits } = await accounts.findQuota(id)
  return isLimited(limits) ? ['delete'] : FATES
}
