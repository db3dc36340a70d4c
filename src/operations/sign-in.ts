import { needsRehash } from '../credentials/password.ts'
import { emailProblem, foldEmail } from '../domain/accounts.ts'
import { beginSession, type SignedIn } from './begin-session.ts'
import { checkCredentials } from './check-credentials.ts'
import type { AccountsContext } from './context.ts'

export interface SignInInput {
  readonly email: string
  readonly password: string
  /** Of the second factor, or a recovery code. */
  readonly code?: string | undefined
  /** Where the request comes from. */
  readonly address: string
  readonly userAgent: string
}

/** Begins a session of an account. @throws AppError as `checkCredentials` does */
export async function signIn(context: AccountsContext, input: SignInInput): Promise<SignedIn> {
  const { accounts, passwords } = context
  const { password, code, address } = input
  // What can't be an address is nobody's, and is neither looked for nor remembered.
  const email = emailProblem(input.email) === undefined ? foldEmail(input.email) : ''
  const credentials = await checkCredentials(context, { email, password, code, address })
  const begun = await beginSession(context, credentials, input)
  const { account, password: kept } = credentials
  if (needsRehash(kept))
    await accounts.rehashPassword({ id: account.id, from: kept, to: await passwords.hash(password) })
  return begun
}
