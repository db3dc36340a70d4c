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
   * Does a write that stores about as many bytes where there is room for them, and counts them where it succeeds; deletes need none.
   * @throws AppError `quota_exceeded` before anything is stored, and what the write throws
   */
  readonly withRoom: <Result>(who: RoomOf, bytes: number, write: () => Promise<Result>) => Promise<Result>
  /**
   * The same for a write that may store more than is sent.
   * @param write is told how many bytes it may add; where it fails with `quota_exceeded`, nothing is stored, and it may be
   * done once again with more
   */
  readonly withRoomLeft: <Result extends Grown>(
    who: RoomOf,
    bytes: number,
    write: (roomBytes?: number) => Promise<Result>,
  ) => Promise<Result>
}

/** The owner of an app, and whether it is the owner who is told of it. */
type RoomOf = Pick<Principal, 'owner' | 'isOwner'>

interface Grown {
  /** What a write has added that was told what it may add. */
  readonly grownBytes?: number
}

interface QuotaParts {
  readonly directory: () => Pick<Directory, 'quotas'>
  /** Without it nobody is held to anything. */
  readonly uses?: QuotaUses | undefined
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number
}

export function holdToQuotas({ directory, uses, now }: QuotaParts): QuotaGuard {
  const limited = ({ owner, isOwner }: RoomOf, bytes: number): Limited | undefined => {
    const { quotas } = directory()
    // Costs nothing where nothing is limited.
    if (quotas === undefined || owner === null || uses === undefined) return undefined
    const most = quotaOf(quotas, owner)?.bytes ?? null
    return most === null ? undefined : { uses, owner, isOwner: isOwner === true, bytes, most }
  }
  return {
    countRequest: (owner) => {
      const { quotas } = directory()
      if (quotas === undefined || owner === null) return
      const most = quotaOf(quotas, owner)?.requestsPerDay ?? null
      if (most !== null && uses?.takeRequest(owner, most) === false) throw dayIsUsedUp(most, now())
    },
    withRoom: (who, bytes, write) => {
      const wanted = limited(who, bytes)
      return wanted === undefined ? write() : withRoom(wanted, write)
    },
    withRoomLeft: (who, bytes, write) => {
      const wanted = limited(who, bytes)
      return wanted === undefined ? write() : withRoomLeft(wanted, write)
    },
  }
}

/** What an account with a quota of bytes wants to store. */
export interface Limited {
  readonly uses: QuotaUses
  readonly owner: string
  /** Whether it is the owner who is told of it. */
  readonly isOwner: boolean
  readonly bytes: number
  readonly most: number
}

/** @throws AppError `quota_exceeded`, and what the write throws */
export async function withRoom<Result>(wanted: Limited, write: () => Promise<Result>): Promise<Result> {
  const { uses, owner, bytes } = wanted
  await reserve(wanted)
  let stored = 0
  try {
    const result = await write()
    stored = bytes
    return result
  } finally {
    uses.settleBytes(owner, bytes, stored)
  }
}

/** Asks alone. @throws AppError `quota_exceeded` */
export async function requireRoom(wanted: Limited): Promise<void> {
  await reserve(wanted)
  wanted.uses.settleBytes(wanted.owner, wanted.bytes, 0)
}

/** What was counted may be more than is there, so that nothing is refused before it was looked at. */
async function reserve(wanted: Limited): Promise<void> {
  const { uses, owner, bytes, most } = wanted
  if (uses.bytesOf(owner) !== undefined && uses.reserveBytes(owner, bytes, most)) return
  await uses.measureAnew(owner)
  if (!uses.reserveBytes(owner, bytes, most)) throw noRoom(wanted)
}

async function withRoomLeft<Result extends Grown>(
  wanted: Limited,
  write: (roomBytes: number) => Promise<Result>,
): Promise<Result> {
  const { uses, owner, bytes, most } = wanted
  const attempt = async (): Promise<Result | undefined> => {
    const share = uses.reserveShare(owner, most)
    let stored = 0
    try {
      if (share < bytes) return undefined
      const result = await write(share)
      stored = Math.max(0, result.grownBytes ?? 0)
      return result
    } catch (error) {
      if (error instanceof AppError && error.code === 'quota_exceeded') return undefined
      throw error
    } finally {
      uses.settleBytes(owner, share, stored)
    }
  }
  const isMeasured = uses.bytesOf(owner) !== undefined
  const done = isMeasured ? await attempt() : undefined
  if (done !== undefined) return done
  const isMeasuredAnew = await uses.measureAnew(owner)
  const result = isMeasured && !isMeasuredAnew ? undefined : await attempt()
  if (result === undefined) throw noRoom(wanted)
  return result
}

function noRoom({ most, isOwner }: Limited): AppError {
  const message =
    `${isOwner ? 'your account' : 'the account whose app this is'} may store ${byteCount(most)}, and has no room for this; delete what is not needed, for good where it is in ` +
    'a bin or an app that can be restored, or ask the operator of this server for more'
  return withoutStack(() => new AppError('quota_exceeded', message))
}

function dayIsUsedUp(most: number, time: number): AppError {
  const message =
    `the account whose app this is may have ${most} requests a day, and has had them; they begin anew at midnight by UTC, ` +
    'or ask the operator of this server for more'
  const retryAfterSeconds = Math.max(1, Math.ceil((DAY_MS - (time % DAY_MS)) / 1000))
  return withoutStack(() => new AppError('daily_quota_exceeded', message, { retryAfterSeconds }))
}
