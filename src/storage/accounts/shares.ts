import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { AccountApp, AppShare, ShareRole } from '../account-records.ts'
import { ACCOUNT_COLUMNS, accountRecord, selectAccount } from './accounts.ts'
import { appOf } from './apps.ts'
import type { Tables } from './tables.ts'

/** Accounts that one app is shared with. */
const MOST_SHARES = 1000

/** What an account owns, an operator also what has no owner, and what is shared with it; ordered by slug. */
export async function selectAppsOf(db: Kysely<Tables>, id: string, slug?: string): Promise<AccountApp[]> {
  const account = await selectAccount(db, { id })
  if (account === undefined) return []
  let apps = db
    .selectFrom('apps')
    .leftJoin('app_shares', (join) =>
      join.onRef('app_shares.app', '=', 'apps.id').on('app_shares.account', '=', id),
    )
    .selectAll('apps')
    .select('role')
    .where(({ or, eb }) =>
      or([
        eb('owner', '=', id),
        eb('role', 'is not', null),
        ...(account.isOperator ? [eb('owner', 'is', null)] : []),
      ]),
    )
    .where('deleted_at', 'is', null)
    .orderBy('slug')
  if (slug !== undefined) apps = apps.where('slug', '=', slug)
  const rows = await apps.execute()
  return rows.map((row) => {
    const isOwner = row.owner === id || (row.owner === null && account.isOperator)
    return { app: appOf(row), role: isOwner ? 'owner' : roleFrom(row.role) }
  })
}

/** Ordered by e-mail. */
export async function selectShares(db: Kysely<Tables>, app: string): Promise<AppShare[]> {
  const rows = await db
    .selectFrom('app_shares')
    .innerJoin('accounts', 'accounts.id', 'app_shares.account')
    .select(ACCOUNT_COLUMNS)
    .select('role')
    .where('app', '=', app)
    .orderBy('folded_email')
    .execute()
  return rows.map((row) => ({ account: accountRecord(row), role: roleFrom(row.role) }))
}

/** Null ends the share. @throws AppError `too_many_shares` */
export async function writeShare(
  db: Kysely<Tables>,
  { app, account, role }: { app: string; account: string; role: ShareRole | null },
): Promise<void> {
  await db.deleteFrom('app_shares').where('app', '=', app).where('account', '=', account).execute()
  if (role === null) return
  const { count } = await db
    .selectFrom('app_shares')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('app', '=', app)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_SHARES)
    throw new AppError('too_many_shares', `an app may be shared with at most ${MOST_SHARES} accounts`)
  await db.insertInto('app_shares').values({ app, account, role }).execute()
}

/** What can't be read allows the least. */
function roleFrom(role: string | null): ShareRole {
  return role === 'editor' ? 'editor' : 'viewer'
}
