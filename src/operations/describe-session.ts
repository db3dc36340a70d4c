import type { AccountRecord, SessionRecord } from '../storage/account-records.ts'
import { PASSWORD_GOOD_MS, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface SessionDescription {
  readonly account: AccountRecord
  readonly session: SessionRecord
  /** Until when nothing asks for the password again, in milliseconds since the Unix epoch. */
  readonly passwordGoodUntil: number
}

/** Who is signed in. @throws AppError `permission_denied` for a token */
export async function describeSession(
  _context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<SessionDescription> {
  const session = requireSession(caller)
  return {
    account: caller.account,
    session,
    passwordGoodUntil: session.authenticatedAt + PASSWORD_GOOD_MS,
  }
}
