import type { Kysely } from 'kysely'
import { type OwnQuota, type Quota, quotaFromText, quotaToText } from '../../domain/quota.ts'
import type { AccountQuota, OwnedCounts } from '../quota-store.ts'
import { defaultQuotaFrom, QUOTA_SETTING } from './quota-rows.ts'
import { selectSetting, upsertSetting } from './settings.ts'
import type { Tables } from './tables.ts'

/*
 * What accounts may have. Each function is a part of its caller's transaction.
 */

export async function selectDefaultQuota(db: Kysely<Tables>): Promise<Quota> {
  return defaultQuotaFrom(await selectSetting(db, QUOTA_SETTING))
}

export async function upsertDefaultQuota(db: Kysely<Tables>, quota: Quota): Promise<void> {
  await upsertSetting(db, QUOTA_SETTING, quotaToText(quota))
}

/** @param account by its id, whether there is such a one or not */
export async function selectQuota(db: Kysely<Tables>, account: string): Promise<AccountQuota> {
  const row = await db
    .selectFrom('account_quotas')
    .select('quota')
    .where('account', '=', account)
    .executeTakeFirst()
  const own = row === undefined ? null : (quotaFromText(row.quota) ?? {})
  return { own, limits: { ...(await selectDefaultQuota(db)), ...own } }
}

/** Null leaves it what all have. @param change of an account that is there */
export async function writeQuota(
  db: Kysely<Tables>,
  { account, quota }: { readonly account: string; readonly quota: OwnQuota | null },
): Promise<void> {
  await db.deleteFrom('account_quotas').where('account', '=', account).execute()
  if (quota === null) return
  await db
    .insertInto('account_quotas')
    .values({ account, quota: quotaToText(quota) })
    .execute()
}

export async function countOwned(db: Kysely<Tables>, owner: string | null): Promise<OwnedCounts> {
  return { apps: await countRowsOf(db, 'apps', owner), keys: await countRowsOf(db, 'keys', owner) }
}

/** How many apps, deleted ones among them, or keys an account has. */
export async function countRowsOf(
  db: Kysely<Tables>,
  table: 'apps' | 'keys',
  owner: string | null,
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('owner', owner === null ? 'is' : '=', owner)
    .executeTakeFirstOrThrow()
  return Number(count)
}
