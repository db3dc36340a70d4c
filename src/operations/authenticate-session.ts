import { hashSecret, isSecret } from '../credentials/secret.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord, SessionRecord } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

/** A session is noted to be in use so often. */
const TOUCHED_MS = 60_000

export interface OpenSession {
  readonly session: SessionRecord
  readonly account: AccountRecord
}

/**
 * Whose session it is that a browser has the secret of.
 * @throws AppError `missing_credentials`, `invalid_credentials` where there is no such session, or it has ended
 */
export async function authenticateSession(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  secret: string | undefined,
): Promise<OpenSession> {
  if (secret === undefined) throw new AppError('missing_credentials', 'sign in first: POST /_/api/session')
  const open = isSecret(secret) ? await accounts.findSession(hashSecret(secret)) : undefined
  if (open === undefined) throw new AppError('invalid_credentials', 'the session has ended; sign in again')
  if (now() - open.session.seenAt >= TOUCHED_MS) await accounts.touchSession({ id: open.session.id })
  return open
}
