import { hashSecret, isAccountToken } from '../credentials/secret.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord, AccountToken } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'

/** A token is noted to be in use so often. */
const TOUCHED_MS = 60_000

export interface OpenToken {
  readonly token: AccountToken
  readonly account: AccountRecord
}

/**
 * Whose bearer token that is. One whose permissions can't be read is as one that never was: it could do nothing.
 * @throws AppError `invalid_credentials`
 */
export async function authenticateToken(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  bearer: string,
): Promise<OpenToken> {
  const open = isAccountToken(bearer) ? await accounts.findToken(hashSecret(bearer)) : undefined
  if (open === undefined || open.token.permissions.length === 0)
    throw new AppError(
      'invalid_credentials',
      'this token was deleted, has ended, or never was; make another one on the page of the account',
    )
  const { id, lastUsedAt } = open.token
  if (lastUsedAt === null || now() - lastUsedAt >= TOUCHED_MS) await accounts.touchToken(id)
  return open
}
