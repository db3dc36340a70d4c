import type { Kysely, Selectable } from 'kysely'
import { ulid } from 'ulid'
import { foldEmail } from '../../domain/accounts.ts'
import { AppError } from '../../errors.ts'
import type {
  AccountChange,
  AccountCredentials,
  AccountFilter,
  AccountRecord,
  CheckedCredentials,
  NewAccount,
} from '../account-records.ts'
import { contains } from './expressions.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Accounts of one server. */
const MOST_ACCOUNTS = 100_000

/** How one account is named. */
export type AccountBy = { readonly id: string } | { readonly email: string }

/** What a record is made of; preferences are 64 KiB, which a list of all accounts can't have in memory. */
export const ACCOUNT_COLUMNS = [
  'accounts.id',
  'accounts.email',
  'accounts.name',
  'accounts.is_operator',
  'accounts.totp_secret',
  'accounts.created_at',
] as const

/*
 * Accounts. Each function is a part of its caller's transaction.
 */

/** Ordered by e-mail. */
export async function selectAccounts(
  db: Kysely<Tables>,
  { limit, after, email }: AccountFilter = {},
): Promise<AccountRecord[]> {
  let accounts = db.selectFrom('accounts').select(ACCOUNT_COLUMNS).orderBy('folded_email')
  if (limit !== undefined) accounts = accounts.limit(limit)
  if (after !== undefined) accounts = accounts.where('folded_email', '>', foldEmail(after))
  if (email !== undefined) accounts = accounts.where(contains('folded_email', foldEmail(email)))
  return (await accounts.execute()).map(accountRecord)
}

export async function selectAccount(db: Kysely<Tables>, by: AccountBy): Promise<AccountRecord | undefined> {
  const row = await rowOf(db, by)
  return row && accountRecord(row)
}

/** @throws AppError `account_not_found` */
export async function requireAccount(db: Kysely<Tables>, id: string): Promise<AccountRecord> {
  const account = await selectAccount(db, { id })
  if (account === undefined) throw new AppError('account_not_found', 'there is no such account')
  return account
}

export async function selectCredentials(
  db: Kysely<Tables>,
  by: AccountBy,
): Promise<AccountCredentials | undefined> {
  const row = await rowOf(db, by)
  if (row === undefined) return undefined
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account', '=', row.id)
    .executeTakeFirstOrThrow()
  // A step that can't be read is one that no code is newer than.
  const lastStep = storedTime(row.totp_step) ?? Number.MAX_SAFE_INTEGER
  return {
    account: accountRecord(row),
    password: row.password,
    totp: row.totp_secret === null ? undefined : { secret: row.totp_secret, lastStep },
    recoveryCodes: Number(count),
  }
}

/** @throws AppError `invalid_credentials` where the account has another password or second factor */
export async function requireCredentials(
  db: Kysely<Tables>,
  id: string,
  checked: CheckedCredentials,
): Promise<void> {
  const now = await selectCredentials(db, { id })
  if (now?.password !== checked.password || !isSameSecret(now.totp?.secret, checked.totp?.secret))
    throw new AppError('invalid_credentials', 'the password or the second factor was changed; sign in again')
}

function isSameSecret(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return Buffer.compare(one, other) === 0
}

export async function countAccounts(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** @throws AppError `account_exists`, `too_many_accounts` */
export async function insertAccount(
  db: Kysely<Tables>,
  { email, name, password, isOperator }: Omit<NewAccount, 'identity'> & { isOperator: boolean },
  now: number,
): Promise<AccountRecord> {
  await refuseTakenEmail(db, email)
  if ((await countAccounts(db)) >= MOST_ACCOUNTS)
    throw new AppError('too_many_accounts', `there may be at most ${MOST_ACCOUNTS} accounts`)
  const id = ulid(now)
  await db
    .insertInto('accounts')
    .values({
      ...{ id, email, name, password, preferences: '{}', created_at: now },
      folded_email: foldEmail(email),
      is_operator: isOperator ? 1 : 0,
      totp_secret: null,
      totp_step: null,
    })
    .execute()
  return { id, email, name, isOperator, hasTotp: false, createdAt: now }
}

/** @throws AppError `account_not_found`, `account_exists`, `last_operator` */
export async function changeAccount(
  db: Kysely<Tables>,
  id: string,
  { email, name, password, isOperator }: AccountChange,
): Promise<AccountRecord> {
  const before = await requireAccount(db, id)
  if (email !== undefined && foldEmail(email) !== foldEmail(before.email)) await refuseTakenEmail(db, email)
  if (isOperator === false) await refuseLastOperator(db, before)
  const changed = {
    ...(email !== undefined && { email, folded_email: foldEmail(email) }),
    ...(name !== undefined && { name }),
    ...(password !== undefined && { password }),
    ...(isOperator !== undefined && { is_operator: isOperator ? 1 : 0 }),
  }
  if (Object.keys(changed).length > 0)
    await db.updateTable('accounts').set(changed).where('id', '=', id).execute()
  // Whoever can read the old mailbox must not have a way back.
  if (password !== undefined || email !== undefined)
    await db.deleteFrom('links').where('account', '=', id).execute()
  return requireAccount(db, id)
}

/** @throws AppError `last_operator` */
export async function refuseLastOperator(db: Kysely<Tables>, account: AccountRecord): Promise<void> {
  if (!account.isOperator) return
  const other = await db
    .selectFrom('accounts')
    .select('id')
    .where('is_operator', '=', 1n)
    .where('id', '!=', account.id)
    .executeTakeFirst()
  if (other === undefined)
    throw new AppError('last_operator', 'this is the last operator; make another account one before')
}

export async function selectPreferences(db: Kysely<Tables>, id: string): Promise<string> {
  const row = await db.selectFrom('accounts').select('preferences').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new AppError('account_not_found', 'there is no such account')
  return row.preferences
}

async function refuseTakenEmail(db: Kysely<Tables>, email: string): Promise<void> {
  if ((await rowOf(db, { email })) !== undefined)
    throw new AppError('account_exists', 'there is an account with this e-mail address already')
}

function rowOf(db: Kysely<Tables>, by: AccountBy): Promise<AccountRow | undefined> {
  const accounts = db.selectFrom('accounts').select([...ACCOUNT_COLUMNS, 'password', 'totp_step'])
  const one =
    'id' in by ? accounts.where('id', '=', by.id) : accounts.where('folded_email', '=', foldEmail(by.email))
  return one.executeTakeFirst()
}

type AccountRow = Omit<Selectable<Tables['accounts']>, 'folded_email' | 'preferences'>

/** Only 1 makes an operator, whatever else stands there. */
export function accountRecord(
  row: Pick<AccountRow, 'id' | 'email' | 'name' | 'is_operator' | 'totp_secret' | 'created_at'>,
): AccountRecord {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: row.is_operator === 1n,
    hasTotp: row.totp_secret !== null,
    createdAt: storedTime(row.created_at) ?? 0,
  }
}
