import type { OpenSession } from './authenticate-session.ts'
import type { AccountsContext } from './context.ts'

/** Ends the session; its secret lets nobody in from then on. */
export async function signOut(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  { session, account }: OpenSession,
): Promise<void> {
  await accounts.endSession({ account: account.id, id: session.id })
}
