import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

export async function writeTotp(
  db: Kysely<Tables>,
  { account, secret, step }: { account: string; secret: Uint8Array | null; step: number | null },
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ totp_secret: secret, totp_step: step })
    .where('id', '=', account)
    .execute()
}

/** One statement, so that of two at once only one finds the step unused. */
export async function useTotpStep(
  db: Kysely<Tables>,
  { account, step }: { account: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ totp_step: step })
    .where('id', '=', account)
    .where('totp_secret', 'is not', null)
    .where(sql<boolean>`coalesce(totp_step, -1) < ${BigInt(step)}`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The same for a code, of which there are ten. */
export async function useRecoveryCode(
  db: Kysely<Tables>,
  { account, hash }: { account: string; hash: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('account', '=', account)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function replaceRecoveryCodes(
  db: Kysely<Tables>,
  account: string,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('account', '=', account).execute()
  for (const hash of hashes) await db.insertInto('recovery_codes').values({ account, hash }).execute()
}
