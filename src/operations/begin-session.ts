import { generateSecret, hashSecret } from '../credentials/secret.ts'
import { networkOf } from '../domain/network.ts'
import type { AccountRecord, NewSession, SessionRecord, SignInWay } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

/** Units of what a browser says of itself that are kept for the list of sessions. */
const USER_AGENT_LENGTH = 200

export interface SignedIn {
  /** What the browser keeps; it is nowhere else. */
  readonly secret: string
  readonly session: SessionRecord
  readonly account: AccountRecord
}

/** An account, and what it was found to be signed in to by. */
type Found = { readonly account: AccountRecord } & Pick<
  NewSession,
  'checked' | 'passkey' | 'identity' | 'authenticatedAt'
>

/**
 * Begins a session for whoever was found to have the account, and remembers from where.
 * @throws AppError `invalid_credentials` where what it was found by is another by now
 */
export async function beginSession(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  { account, ...by }: Found,
  {
    address,
    userAgent,
    way,
  }: { readonly address: string; readonly userAgent: string; readonly way: SignInWay },
): Promise<SignedIn> {
  const secret = generateSecret()
  const session = await accounts.createSession({
    account: account.id,
    way,
    ...by,
    hash: hashSecret(secret),
    address,
    userAgent: userAgent.slice(0, USER_AGENT_LENGTH).toWellFormed(),
  })
  // By its network, as failures are counted: an address of IPv6 is another one every day.
  await accounts.noteAddress({ account: account.id, address: networkOf(address) })
  return { secret, session, account }
}
