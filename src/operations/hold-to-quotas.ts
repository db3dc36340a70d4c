import type { QuotaUses } from '../credentials/quota-uses.ts'
import { byteCount } from '../domain/byte-count.ts'
import type { Principal } from '../domain/principal.ts'
import { DAY_MS, quotaOf } from '../domain/quota.ts'
import { AppError, withoutStack } from '../errors.ts'
import type { Directory } from '../storage/directory.ts'

/** Holds accounts to their quotas, whoever uses what is theirs; null is the operator, who has none. */
export interface QuotaGuard {
  /**
   * Counts a request to an app or a site of the account.
   * @throws AppError `daily_quota_exceeded` with `retryAfterSeconds`, until midnight by UTC
   */
  readonly countRequest: (owner: string | null) => void
  /**
   * Asked before anything is stored; deletes need no room.
   * @param bytes that come: what becomes of them is measured later
   * @throws AppError `quota_exceeded`
   */
  readonly requireRoom: (who: Pick<Principal, 'owner' | 'isOwner'>, bytes: number) => void
}

interface QuotaParts {
  readonly directory: () => Pick<Directory, 'quotas'>
  /** Without it nobody is held to anything. */
  readonly uses?: QuotaUses | undefined
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

export function holdToQuotas({ directory, uses, now }: QuotaParts): QuotaGuard {
  return {
    countRequest: (owner) => {
      const { quotas } = directory()
      // Costs nothing where nothing is limited.
      if (quotas === undefined || owner === null) return
      const most = quotaOf(quotas, owner)?.requestsPerDay ?? null
      if (most !== null && uses?.takeRequest(owner, most) === false) throw dayIsUsedUp(most, now())
    },
    requireRoom: ({ owner, isOwner = false }, bytes) => {
      const { quotas } = directory()
      if (quotas === undefined || owner === null) return
      requireRoom(uses, { owner, isOwner, bytes, most: quotaOf(quotas, owner)?.bytes ?? null })
    },
  }
}

interface Wanted {
  readonly owner: string
  /** Whether it is the owner who is told of it. */
  readonly isOwner: boolean
  readonly bytes: number
  /** Null where the account has no quota of bytes. */
  readonly most: number | null
}

/** @throws AppError `quota_exceeded` */
export function requireRoom(uses: QuotaUses | undefined, { owner, isOwner, bytes, most }: Wanted): void {
  if (most === null || uses === undefined || uses.takeBytes(owner, bytes, most)) return
  throw withoutStack(
    () =>
      new AppError(
        'quota_exceeded',
        `${isOwner ? 'your account' : 'the account whose app this is'} may store ${byteCount(most)}, and has no room for this; delete what is not needed, or ` +
          'ask the operator of this server for more',
      ),
  )
}

function dayIsUsedUp(most: number, time: number): AppError {
  const message =
    `the account whose app this is may have ${most} requests a day, and has had them; they begin anew at midnight by UTC, ` +
    'or ask the operator of this server for more'
  const retryAfterSeconds = Math.max(1, Math.ceil((DAY_MS - (time % DAY_MS)) / 1000))
  return withoutStack(() => new AppError('daily_quota_exceeded', message, { retryAfterSeconds }))
}
