import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { AppAddress, NewApp } from '../account-changes.ts'
import type { AppRecord } from '../store.ts'
import { type AppRow, appRecord } from './directory-rows.ts'
import { refuseManyApps } from './owner-bounds.ts'
import type { Tables } from './tables.ts'

/*
 * Apps. Each function is a part of its caller's transaction.
 */

/** Ordered by slug. */
export async function selectApps(db: Kysely<Tables>): Promise<AppRecord[]> {
  const rows = await db.selectFrom('apps').selectAll().orderBy('slug').execute()
  return rows.map(appOf)
}

/** @throws AppError `app_not_found` */
export async function appAt(db: Kysely<Tables>, address: AppAddress): Promise<AppRecord> {
  const { slug, id } = typeof address === 'string' ? { slug: address } : address
  const row = await db.selectFrom('apps').selectAll().where('slug', '=', slug).executeTakeFirst()
  if (row === undefined || (id !== undefined && row.id !== id))
    throw new AppError('app_not_found', `there is no app "${slug}"`)
  return appOf(row)
}

/** @throws AppError `app_exists`, `too_many_apps` */
export async function refuseNewApp(
  db: Kysely<Tables>,
  { slug, owner, most }: NewApp & { most: number },
): Promise<void> {
  const taken = await db.selectFrom('apps').select('id').where('slug', '=', slug).executeTakeFirst()
  if (taken !== undefined) throw new AppError('app_exists', `there is an app "${slug}" already`)
  const { count } = await db
    .selectFrom('apps')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw new AppError(
      'too_many_apps',
      `there may be at most ${most} apps; delete one that is not used, or raise the limit`,
    )
  await refuseManyApps(db, owner, most)
}

export async function insertApp(
  db: Kysely<Tables>,
  { id, slug, owner, createdAt }: NewApp & { id: string; createdAt: number },
): Promise<AppRecord> {
  await db.insertInto('apps').values({ id, slug, owner, created_at: createdAt }).execute()
  return { id, slug, owner, createdAt }
}

/** Its documents are removed after the transaction. */
export async function deleteApp(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('apps').where('id', '=', id).execute()
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
}): AppRecord {
  return appRecord([row.id, row.slug, row.owner, row.created_at] satisfies AppRow)
}
