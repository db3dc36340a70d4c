import type { Kysely, Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import type { AppAddress, NewApp } from '../account-changes.ts'
import type { AppRecord } from '../store.ts'
import { type AppRow, appRecord } from './directory-rows.ts'
import { deleteKeyById } from './keys.ts'
import { refuseLongRules, refuseManyApps } from './owner-bounds.ts'
import { selectSiteKeyId } from './site-keys.ts'
import type { Tables } from './tables.ts'

type AppFields = Selectable<Tables['apps']>

/*
 * Apps. Each function is a part of its caller's transaction.
 */

/** Ordered by slug. */
export async function selectApps(db: Kysely<Tables>): Promise<AppRecord[]> {
  const rows = await db
    .selectFrom('apps')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('slug')
    .execute()
  return rows.map(appOf)
}

/** One that is not deleted. @throws AppError `app_not_found` */
export async function appAt(db: Kysely<Tables>, address: AppAddress): Promise<AppRecord> {
  const row = await rowAt(db, address)
  if (row.deleted_at !== null) throw noApp(row.slug)
  return appOf(row)
}

/** One that may be deleted, too. @throws AppError `app_not_found` */
export async function anyAppAt(db: Kysely<Tables>, address: AppAddress): Promise<AppRecord> {
  return appOf(await rowAt(db, address))
}

async function rowAt(db: Kysely<Tables>, address: AppAddress) {
  const { slug, id } = typeof address === 'string' ? { slug: address } : address
  const row = await db.selectFrom('apps').selectAll().where('slug', '=', slug).executeTakeFirst()
  if (row === undefined || (id !== undefined && row.id !== id)) throw noApp(slug)
  return row
}

function noApp(slug: string): AppError {
  return new AppError('app_not_found', `there is no app "${slug}"`)
}

/** @throws AppError `app_exists`, `too_many_apps` */
export async function refuseNewApp(
  db: Kysely<Tables>,
  { slug, owner, most }: NewApp & { most: number },
): Promise<void> {
  const taken = await db.selectFrom('apps').selectAll().where('slug', '=', slug).executeTakeFirst()
  if (taken !== undefined) throw appExists(taken, owner)
  const { count } = await db
    .selectFrom('apps')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw new AppError(
      'too_many_apps',
      `there may be at most ${most} apps, with those that can be restored; remove one that is not used, or raise the limit`,
    )
  await refuseManyApps(db, owner, most)
}

function appExists(
  { slug, owner, deleted_at }: Pick<AppFields, 'slug' | 'owner' | 'deleted_at'>,
  asks: string | null,
): AppError {
  // What others have deleted is theirs.
  if (deleted_at === null || owner !== asks)
    return new AppError('app_exists', `there is an app "${slug}" already`)
  return new AppError('app_exists', `the app "${slug}" was deleted and can be restored; restore or remove it`)
}

/** @throws AppError `invalid_rule` where the settings are too long with all others */
export async function insertApp(
  db: Kysely<Tables>,
  {
    createdAt,
    settings = '{}',
    ...app
  }: NewApp & { id: string; createdAt: number; settings?: string | undefined },
): Promise<AppRecord> {
  const row = { ...app, created_at: createdAt, settings }
  await db.insertInto('apps').values(row).execute()
  if (settings !== '{}') await refuseLongRules(db, app.owner)
  return appOf({ ...row, created_at: BigInt(createdAt) })
}

/** Its documents are removed after the transaction. The key of its site goes with it, for anybody may have that. */
export async function removeApp(db: Kysely<Tables>, id: string): Promise<void> {
  const siteKey = await selectSiteKeyId(db, id)
  if (siteKey !== undefined) await deleteKeyById(db, siteKey)
  await db.deleteFrom('apps').where('id', '=', id).execute()
  await db.deleteFrom('traffic').where('app', '=', id).execute()
  await db
    .insertInto('removed_apps')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function selectRemovedApps(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('removed_apps').select('id').execute()
  return rows.map(({ id }) => id)
}

export async function forgetRemovedApp(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('removed_apps').where('id', '=', id).execute()
}

export function appOf(row: {
  id: string
  slug: string
  owner: string | null
  created_at: bigint
  settings: string
}): AppRecord {
  return appRecord([row.id, row.slug, row.owner, row.created_at, row.settings] satisfies AppRow)
}
