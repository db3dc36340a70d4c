import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Addresses that are remembered of one account. */
const MOST_ADDRESSES = 100

export interface KnownAddress {
  readonly account: string
  readonly address: string
}

/** A part of its caller's transaction, in which the account was found to be there. */
export async function upsertAddress(
  db: Kysely<Tables>,
  { account, address }: KnownAddress,
  now: number,
): Promise<void> {
  await db
    .insertInto('known_addresses')
    .values({ account, address, last_at: now })
    .onConflict((conflict) => conflict.columns(['account', 'address']).doUpdateSet({ last_at: now }))
    .execute()
  const rows = await db
    .selectFrom('known_addresses')
    .select('address')
    .where('account', '=', account)
    .orderBy('last_at', 'desc')
    .offset(MOST_ADDRESSES)
    .limit(MOST_ADDRESSES)
    .execute()
  for (const row of rows)
    await db
      .deleteFrom('known_addresses')
      .where('account', '=', account)
      .where('address', '=', row.address)
      .execute()
}

export async function isKnownAddress(
  db: Kysely<Tables>,
  { account, address }: KnownAddress,
): Promise<boolean> {
  const row = await db
    .selectFrom('known_addresses')
    .select('last_at')
    .where('account', '=', account)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}
