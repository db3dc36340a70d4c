import { needsRehash } from '../credentials/password.ts'
import { emailProblem, foldEmail } from '../domain/accounts.ts'
import { AppError } from '../errors.ts'
import type { AccountCredentials } from '../storage/account-records.ts'
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
  const { password, code, address, userAgent } = input
  // What can't be an address is nobody's, and is neither looked for nor remembered.
  const email = emailProblem(input.email) === undefined ? foldEmail(input.email) : ''
  const credentials = await checkCredentials(context, { email, password, code, address })
  const checked = { account: credentials.account, checked: credentials }
  const begun = await beginSession(context, checked, { address, userAgent, way: 'password' })
  if (needsRehash(credentials.password)) await rehash(context, credentials, input)
  return begun
}

/** Keeps the password at today's cost. Where too many wait to be hashed, that is left to the next sign-in. */
async function rehash(
  { accounts, passwords }: Pick<AccountsContext, 'accounts' | 'passwords'>,
  { account, password: from }: AccountCredentials,
  { password, address }: Pick<SignInInput, 'password' | 'address'>,
): Promise<void> {
  try {
    await accounts.rehashPassword({ id: account.id, from, to: await passwords.hash(password, address) })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'overloaded')) throw error
  }
}
