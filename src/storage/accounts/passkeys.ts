import type { Kysely, Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type {
  AccountRecord,
  NewPasskey,
  PasskeyRecord,
  PasskeyUse,
  StoredPasskey,
} from '../account-records.ts'
import { requireAccount } from './accounts.ts'
import { storedTexts } from './stored-texts.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Passkeys of one account at a time. */
const MOST_PASSKEYS = 20
/** The count of uses has 32 bits (Web Authentication, section 6.1). */
const MOST_USES = 2 ** 32 - 1

/*
 * Passkeys. Each function is a part of its caller's transaction.
 */

/** The oldest first. */
export async function selectPasskeys(db: Kysely<Tables>, account: string): Promise<PasskeyRecord[]> {
  const passkeys = db.selectFrom('passkeys').selectAll().where('account', '=', account)
  const rows = await passkeys.orderBy('created_at').orderBy('id').execute()
  return rows.map(passkeyRecord)
}

/** With its account. */
export async function selectPasskey(
  db: Kysely<Tables>,
  id: string,
): Promise<{ passkey: StoredPasskey; account: AccountRecord } | undefined> {
  const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const account = await requireAccount(db, row.account)
  return { passkey: { ...passkeyRecord(row), publicKey: row.public_key, uses: usesFrom(row.uses) }, account }
}

/** @throws AppError `passkey_exists`, `too_many_passkeys` */
export async function insertPasskey(
  db: Kysely<Tables>,
  { id, account, host, name, publicKey, uses, transports }: NewPasskey,
  now: number,
): Promise<PasskeyRecord> {
  if ((await selectPasskey(db, id)) !== undefined)
    throw new AppError('passkey_exists', 'this passkey was added before')
  if ((await selectPasskeys(db, account)).length >= MOST_PASSKEYS)
    throw new AppError(
      'too_many_passkeys',
      `an account may have at most ${MOST_PASSKEYS} passkeys; remove one of them`,
    )
  const kept = { public_key: publicKey, uses, transports: JSON.stringify(transports) }
  await db
    .insertInto('passkeys')
    .values({ id, account, host, name, ...kept, created_at: now })
    .execute()
  return { id, account, host, name, transports, createdAt: now, lastUsedAt: null }
}

/**
 * Notes that it was used. One statement, so that of two uses with one count one alone is good.
 * @throws AppError `invalid_credentials` where the account has it no more, or it was used since
 */
export async function usePasskey(
  db: Kysely<Tables>,
  { account, id, uses }: PasskeyUse & { readonly account: string },
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ uses, last_used_at: now })
    .where('account', '=', account)
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('uses', '<', BigInt(uses)), eb('uses', '=', uses === 0 ? 0n : -1n)]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n)
    throw new AppError('invalid_credentials', 'the account has no such passkey, or it was used elsewhere')
}

/** @throws AppError `passkey_not_found` */
export async function renamePasskey(
  db: Kysely<Tables>,
  { account, id, name }: PasskeyAddress & { readonly name: string },
): Promise<PasskeyRecord> {
  const one = db.updateTable('passkeys').set({ name }).where('account', '=', account).where('id', '=', id)
  const row = await one.returningAll().executeTakeFirst()
  if (row === undefined) throw passkeyNotFound()
  return passkeyRecord(row)
}

/** Answers its name. @throws AppError `passkey_not_found` */
export async function deletePasskey(db: Kysely<Tables>, { account, id }: PasskeyAddress): Promise<string> {
  const one = db.deleteFrom('passkeys').where('account', '=', account).where('id', '=', id)
  const row = await one.returning('name').executeTakeFirst()
  if (row === undefined) throw passkeyNotFound()
  return row.name
}

export interface PasskeyAddress {
  readonly account: string
  readonly id: string
}

function passkeyNotFound(): AppError {
  return new AppError('passkey_not_found', 'the account has no such passkey')
}

function passkeyRecord(row: Selectable<Tables['passkeys']>): PasskeyRecord {
  return {
    id: row.id,
    account: row.account,
    host: row.host,
    name: row.name,
    transports: storedTexts(row.transports),
    createdAt: storedTime(row.created_at) ?? 0,
    lastUsedAt: row.last_used_at === null ? null : (storedTime(row.last_used_at) ?? 0),
  }
}

/** One that can't be read is one that none is above. */
function usesFrom(uses: bigint): number {
  return uses >= 0n && uses <= BigInt(MOST_USES) ? Number(uses) : MOST_USES
}
