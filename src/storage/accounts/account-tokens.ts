import type { Kysely, Selectable } from 'kysely'
import { ulid } from 'ulid'
import { AppError } from '../../errors.ts'
import type { AccountRecord, AccountToken, NewAccountToken } from '../account-records.ts'
import { accountRecord } from './accounts.ts'
import { storedTexts } from './stored-texts.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Tokens of one account at a time. */
const MOST_TOKENS = 100

/**
 * A part of its caller's transaction, in which the account was found to be there.
 * @throws AppError `token_exists`, `too_many_tokens`
 */
export async function insertToken(
  db: Kysely<Tables>,
  { account, name, hash, permissions, expiresAt }: NewAccountToken,
  now: number,
): Promise<AccountToken> {
  const tokens = await selectTokens(db, account)
  if (tokens.some((token) => token.name === name))
    throw new AppError('token_exists', `there is a token "${name}" already; choose another name or end it`)
  if (tokens.length >= MOST_TOKENS)
    throw new AppError(
      'too_many_tokens',
      `an account may have at most ${MOST_TOKENS} tokens; end one of them`,
    )
  const id = ulid(now)
  const times = { expires_at: expiresAt, created_at: now, last_used_at: null }
  await db
    .insertInto('account_tokens')
    .values({ id, account, name, hash, permissions: JSON.stringify(permissions), ...times })
    .execute()
  return { id, account, name, permissions, expiresAt, createdAt: now, lastUsedAt: null }
}

export async function selectToken(
  db: Kysely<Tables>,
  hash: string,
  now: number,
): Promise<{ token: AccountToken; account: AccountRecord } | undefined> {
  const row = await db
    .selectFrom('account_tokens')
    .innerJoin('accounts', 'accounts.id', 'account_tokens.account')
    .selectAll('account_tokens')
    .select([
      ...(['email', 'accounts.name as account_name', 'is_operator', 'totp_secret'] as const),
      'accounts.created_at as account_created_at',
    ])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const token = tokenRecord(row)
  if (token.expiresAt <= now) return undefined
  const account = { ...row, id: row.account, name: row.account_name, created_at: row.account_created_at }
  return { token, account: accountRecord(account) }
}

/** Ordered by name. */
export async function selectTokens(db: Kysely<Tables>, account: string): Promise<AccountToken[]> {
  const tokens = db.selectFrom('account_tokens').selectAll().where('account', '=', account)
  return (await tokens.orderBy('name').execute()).map(tokenRecord)
}

export async function touchToken(db: Kysely<Tables>, id: string, now: number): Promise<void> {
  await db.updateTable('account_tokens').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** Answers its name. @throws AppError `token_not_found` */
export async function deleteToken(
  db: Kysely<Tables>,
  { account, id }: { account: string; id: string },
): Promise<string> {
  const row = await db
    .deleteFrom('account_tokens')
    .where('account', '=', account)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (row === undefined) throw new AppError('token_not_found', 'the account has no such token')
  return row.name
}

/** What can't be read allows nothing, and has ended. */
function tokenRecord(row: Selectable<Tables['account_tokens']>): AccountToken {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    permissions: storedTexts(row.permissions),
    expiresAt: storedTime(row.expires_at) ?? 0,
    createdAt: storedTime(row.created_at) ?? 0,
    lastUsedAt: row.last_used_at === null ? null : (storedTime(row.last_used_at) ?? 0),
  }
}
