import type { Kysely, Selectable } from 'kysely'
import { ulid } from 'ulid'
import { hasSessionEnded, SESSION_IDLE_MS, SESSION_TOTAL_MS } from '../../domain/accounts.ts'
import { AppError } from '../../errors.ts'
import type { AccountRecord, NewSession, SessionRecord } from '../account-records.ts'
import { accountRecord } from './accounts.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Sessions of one account at a time. */
const MOST_SESSIONS = 100

/** A part of its caller's transaction, in which the account was found to be there. */
export async function insertSession(
  db: Kysely<Tables>,
  { account, hash, address, userAgent, ...given }: NewSession,
  now: number,
): Promise<SessionRecord> {
  // A clock elsewhere may be ahead.
  const authenticatedAt = Math.min(given.authenticatedAt ?? now, now)
  await deleteEndedSessions(db, now)
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('account', '=', account)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  for (const { id } of rows.slice(MOST_SESSIONS - 1))
    await db.deleteFrom('sessions').where('id', '=', id).execute()
  const id = ulid(now)
  const times = { created_at: now, seen_at: now, authenticated_at: authenticatedAt }
  await db
    .insertInto('sessions')
    .values({ id, account, hash, address, user_agent: userAgent, ...times })
    .execute()
  return { id, account, createdAt: now, seenAt: now, authenticatedAt, address, userAgent }
}

export async function deleteEndedSessions(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(({ or, eb }) =>
      or([
        eb('seen_at', '<=', BigInt(now - SESSION_IDLE_MS)),
        eb('created_at', '<=', BigInt(now - SESSION_TOTAL_MS)),
      ]),
    )
    .execute()
}

export async function selectSession(
  db: Kysely<Tables>,
  hash: string,
  now: number,
): Promise<{ session: SessionRecord; account: AccountRecord } | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account')
    .selectAll('sessions')
    .select(['email', 'name', 'is_operator', 'totp_secret', 'accounts.created_at as account_created_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const session = sessionRecord(row)
  if (hasSessionEnded(session, now)) return undefined
  return { session, account: accountRecord({ ...row, id: row.account, created_at: row.account_created_at }) }
}

/** The newest first. */
export async function selectSessions(
  db: Kysely<Tables>,
  account: string,
  now: number,
): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('account', '=', account)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(sessionRecord).filter((session) => !hasSessionEnded(session, now))
}

/**
 * A part of its caller's transaction. What was looked at before it says nothing: whoever was put out in these moments must
 * leave nothing behind.
 * @throws AppError `invalid_credentials` where there is no such session
 */
export async function requireOpenSession(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(
      () => new AppError('invalid_credentials', 'the session has ended; sign in again'),
    )
}

export async function touchSession(
  db: Kysely<Tables>,
  { id, isAuthenticated = false }: { id: string; isAuthenticated?: boolean },
  now: number,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: now, ...(isAuthenticated && { authenticated_at: now }) })
    .where('id', '=', id)
    .execute()
}

export async function deleteSession(
  db: Kysely<Tables>,
  { account, id }: { account: string; id: string },
): Promise<number> {
  const session = db.deleteFrom('sessions').where('account', '=', account).where('id', '=', id)
  return Number((await session.executeTakeFirst()).numDeletedRows)
}

export async function deleteSessions(
  db: Kysely<Tables>,
  { account, keepSession }: { account: string; keepSession?: string },
): Promise<number> {
  let sessions = db.deleteFrom('sessions').where('account', '=', account)
  if (keepSession !== undefined) sessions = sessions.where('id', '!=', keepSession)
  return Number((await sessions.executeTakeFirst()).numDeletedRows)
}

/** A time that can't be read is long past: such a session has ended. */
function sessionRecord(row: Selectable<Tables['sessions']>): SessionRecord {
  return {
    id: row.id,
    account: row.account,
    createdAt: storedTime(row.created_at) ?? 0,
    seenAt: storedTime(row.seen_at) ?? 0,
    authenticatedAt: storedTime(row.authenticated_at) ?? 0,
    address: row.address,
    userAgent: row.user_agent,
  }
}
