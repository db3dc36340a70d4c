import type { OpenSession } from './authenticate-session.ts'
import type { SignInContext } from './context.ts'

/** Ends the session; its secret lets nobody in from then on. */
export async function signOut(
  { accounts }: Pick<SignInContext, 'accounts'>,
  { session, account }: OpenSession,
): Promise<void> {
  await accounts.endSession({ account: account.id, id: session.id })
}
