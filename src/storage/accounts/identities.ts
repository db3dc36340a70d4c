import { hash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { AccountIdentity, AccountRecord, Identity, NewIdentity } from '../account-records.ts'
import { ACCOUNT_COLUMNS, accountRecord } from './accounts.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Identities of one account at a time. */
const MOST_IDENTITIES = 20

/*
 * Who accounts are at OpenID providers. Each function is a part of its caller's transaction.
 */

export async function selectIdentityAccount(
  db: Kysely<Tables>,
  { issuer, subject }: Identity,
): Promise<AccountRecord | undefined> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('accounts', 'accounts.id', 'identities.account')
    .select(ACCOUNT_COLUMNS)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && accountRecord(row)
}

/** In the order in which they were bound. */
export async function selectIdentities(db: Kysely<Tables>, account: string): Promise<AccountIdentity[]> {
  const rows = await db
    .selectFrom('identities')
    .selectAll()
    .where('account', '=', account)
    .orderBy('created_at')
    .orderBy('issuer')
    .orderBy('subject')
    .execute()
  return rows.map(identityRecord)
}

/** Answers with what is bound, which may have been before. @throws AppError `identity_taken`, `too_many_identities` */
export async function insertIdentity(
  db: Kysely<Tables>,
  { account, identity }: { account: string; identity: NewIdentity },
  now: number,
): Promise<AccountIdentity> {
  const bound = await selectIdentityAccount(db, identity)
  if (bound !== undefined && bound.id !== account)
    throw new AppError(
      'identity_taken',
      'there is an account that this signs in to already; sign in to that, or disconnect it there before',
    )
  const identities = await selectIdentities(db, account)
  const known = identities.find(isThat(identity))
  if (known !== undefined) return known
  if (identities.length >= MOST_IDENTITIES)
    throw new AppError(
      'too_many_identities',
      `an account may have at most ${MOST_IDENTITIES} connected sign-ins; disconnect one of them`,
    )
  const { issuer, subject, email } = identity
  await db.insertInto('identities').values({ account, issuer, subject, email, created_at: now }).execute()
  return { id: idOf(identity), issuer, subject, email, createdAt: now, lastUsedAt: null }
}

/** Notes that somebody signs in by it. @throws AppError `invalid_credentials` where it is not bound to the account */
export async function useIdentity(
  db: Kysely<Tables>,
  { account, identity }: { account: string; identity: Identity },
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('identities')
    .set({ last_used_at: now })
    .where('account', '=', account)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new AppError('invalid_credentials', 'the account was disconnected from this meanwhile')
}

/** Answers what was bound. @throws AppError `identity_not_found` */
export async function deleteIdentity(
  db: Kysely<Tables>,
  { account, id }: { account: string; id: string },
): Promise<AccountIdentity> {
  const identity = (await selectIdentities(db, account)).find((each) => each.id === id)
  if (identity === undefined)
    throw new AppError('identity_not_found', 'the account has no such connected sign-in')
  await db
    .deleteFrom('identities')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .execute()
  return identity
}

function identityRecord(row: Selectable<Tables['identities']>): AccountIdentity {
  const { issuer, subject, email } = row
  return {
    id: idOf(row),
    ...{ issuer, subject, email },
    createdAt: storedTime(row.created_at) ?? 0,
    lastUsedAt: row.last_used_at === null ? null : (storedTime(row.last_used_at) ?? 0),
  }
}

function isThat({ issuer, subject }: Identity): (one: Identity) => boolean {
  return (one) => one.issuer === issuer && one.subject === subject
}

/** What a path can hold, which an issuer can't be. */
function idOf({ issuer, subject }: Identity): string {
  return hash('sha256', JSON.stringify([issuer, subject]), 'base64url')
}
