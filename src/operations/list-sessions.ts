import type { SessionRecord } from '../storage/account-records.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface ListedSession extends Omit<SessionRecord, 'account'> {
  /** Whether it is the one that asks. */
  readonly isCurrent: boolean
}

/** The account's sessions that have not ended, the newest first. @throws AppError `permission_denied` to a token */
export async function listSessions(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<ListedSession[]> {
  const current = requireSession(caller)
  const sessions = await accounts.listSessions(caller.account.id)
  return sessions.map(({ account: _, ...session }) => ({ ...session, isCurrent: session.id === current.id }))
}
