import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { OpenWaysIn, WaysIn } from '../account-records.ts'
import type { Tables } from './tables.ts'

/*
 * What accounts sign in by. Each function is a part of its caller's transaction.
 */

/** Of what isn't open on this server an account has none. */
export async function selectWaysIn(db: Kysely<Tables>, account: string, open: OpenWaysIn): Promise<WaysIn> {
  const { password } = await db
    .selectFrom('accounts')
    .select('password')
    .where('id', '=', account)
    .executeTakeFirstOrThrow(() => new AppError('account_not_found', 'there is no such account'))
  const passkeys = db
    .selectFrom('passkeys')
    .select('id')
    .where('account', '=', account)
    .where('host', '=', open.passkeyHost ?? '')
  const identities = db
    .selectFrom('identities')
    .select('subject')
    .where('account', '=', account)
    .where('issuer', '=', open.issuer ?? '')
  return {
    password: password !== '',
    passkeys: open.passkeyHost !== null && (await passkeys.limit(1).executeTakeFirst()) !== undefined,
    oidc: open.issuer !== null && (await identities.limit(1).executeTakeFirst()) !== undefined,
  }
}

/** Behind the removal of one: undoes it where it was the last. @throws AppError `account_not_found`, `last_way_in` */
export async function refuseLastWayIn(db: Kysely<Tables>, account: string, open: OpenWaysIn): Promise<void> {
  const left = await selectWaysIn(db, account, open)
  if (Object.values(left).includes(true)) return
  throw new AppError(
    'last_way_in',
    'nobody could sign in to this account then; give it another way in before',
  )
}

/** What an account can be got into by is its password, and what has a row in one of these. */
const WAYS_IN = ['passkeys', 'identities', 'account_tokens', 'links', 'sessions'] as const

/** Takes all of them from an account; answers how many there were of those that the audit trail tells of. */
export async function deleteWaysIn(db: Kysely<Tables>, account: string): Promise<Record<string, number>> {
  await db.updateTable('accounts').set({ password: '' }).where('id', '=', account).execute()
  const counts = { passkeys: 0, identities: 0, account_tokens: 0, links: 0, sessions: 0 }
  for (const table of WAYS_IN) {
    const { numDeletedRows } = await db.deleteFrom(table).where('account', '=', account).executeTakeFirst()
    counts[table] = Number(numDeletedRows)
  }
  const { passkeys, identities, account_tokens: tokens } = counts
  return { passkeys, identities, tokens }
}
