import type { AccountsContext, Caller } from './context.ts'
import { requireRoom } from './hold-to-quotas.ts'

/**
 * Holds whoever stores something by way of the accounts to what the owner of the app may have.
 * @param owner an account by its id; null for the operator, who has no quota
 * @param bytes that come
 * @throws AppError `quota_exceeded`
 */
export async function requireRoomOf(
  { accounts, quotaUses }: Pick<AccountsContext, 'accounts' | 'quotaUses'>,
  caller: Caller,
  { owner, bytes }: { readonly owner: string | null; readonly bytes: number },
): Promise<void> {
  if (owner === null) return
  const { limits } = await accounts.findQuota(owner)
  const isOwner = caller.kind === 'account' && caller.account.id === owner
  requireRoom(quotaUses, { owner, isOwner, bytes, most: limits.bytes })
}
