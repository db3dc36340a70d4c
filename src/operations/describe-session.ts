import { type DiskFacts, type DiskLevel, diskLevel } from '../domain/disk-level.ts'
import type { AccountRecord, SessionRecord, WaysIn } from '../storage/account-records.ts'
import { PASSWORD_GOOD_MS, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { openWaysIn } from './describe-ways-in.ts'

export interface SessionDescription {
  readonly account: AccountRecord
  readonly session: SessionRecord
  /** Until when nothing asks for the password again, in milliseconds since the Unix epoch. */
  readonly passwordGoodUntil: number
  /** By what the account can show then that it is still who signed in. */
  readonly confirmBy: WaysIn
  /** Where it can be measured, and for an operator alone. */
  readonly disk?: DiskFacts & { readonly level: DiskLevel }
  /** What fires, in words; for an operator alone, and without what is said of the disk. */
  readonly alerts?: readonly string[]
}

/** Who is signed in. @throws AppError `permission_denied` for a token */
export async function describeSession(
  context: AccountsContext,
  caller: AccountCaller,
): Promise<SessionDescription> {
  const { accounts, server, limits } = context
  const { account } = caller
  const session = requireSession(caller)
  // Nobody is kept out for a disk that can't be measured.
  const disk = account.isOperator ? await server.disk().catch(() => undefined) : undefined
  const alerts = account.isOperator ? await firing(context) : undefined
  return {
    account,
    session,
    passwordGoodUntil: session.authenticatedAt + PASSWORD_GOOD_MS,
    confirmBy: await accounts.findWaysIn({ account: account.id, open: openWaysIn(context) }),
    ...(disk && { disk: { ...disk, level: diskLevel(disk, limits) } }),
    ...(alerts && { alerts }),
  }
}

async function firing({ alerts }: AccountsContext): Promise<string[]> {
  const told = (await alerts.list()).filter(({ kind, endedAt }) => endedAt === null && kind !== 'disk')
  return told.map(({ message }) => message)
}
