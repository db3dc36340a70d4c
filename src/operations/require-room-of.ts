import type { AccountsContext, Caller } from './context.ts'
import { type Limited, requireRoom, withRoom } from './hold-to-quotas.ts'

type QuotaContext = Pick<AccountsContext, 'accounts' | 'quotaUses'>

interface Wanted {
  /** An account by its id; null for the operator, who has no quota. */
  readonly owner: string | null
  /** That come. */
  readonly bytes: number
}

/**
 * Holds whoever stores something by way of the accounts to what the owner of the app may have.
 * @throws AppError `quota_exceeded`
 */
export async function requireRoomOf(context: QuotaContext, caller: Caller, wanted: Wanted): Promise<void> {
  const limited = await limitedBy(context, caller, wanted)
  if (limited !== undefined) await requireRoom(limited)
}

/** The same for a write, which counts where it succeeds. @throws AppError `quota_exceeded` */
export async function withRoomOf<Result>(
  context: QuotaContext,
  caller: Caller,
  { write, ...wanted }: Wanted & { readonly write: () => Promise<Result> },
): Promise<Result> {
  const limited = await limitedBy(context, caller, wanted)
  return limited === undefined ? write() : withRoom(limited, write)
}

async function limitedBy(
  { accounts, quotaUses: uses }: QuotaContext,
  caller: Caller,
  { owner, bytes }: Wanted,
): Promise<Limited | undefined> {
  if (owner === null) return undefined
  const { limits } = await accounts.findQuota(owner)
  const isOwner = caller.kind === 'account' && caller.account.id === owner
  return limits.bytes === null ? undefined : { uses, owner, isOwner, bytes, most: limits.bytes }
}
