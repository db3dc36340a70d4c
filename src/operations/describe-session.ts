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
}

/** Who is signed in. @throws AppError `permission_denied` for a token */
export async function describeSession(
  context: AccountsContext,
  caller: AccountCaller,
): Promise<SessionDescription> {
  const session = requireSession(caller)
  return {
    account: caller.account,
    session,
    passwordGoodUntil: session.authenticatedAt + PASSWORD_GOOD_MS,
    confirmBy: await context.accounts.findWaysIn({ account: caller.account.id, open: openWaysIn(context) }),
  }
}
