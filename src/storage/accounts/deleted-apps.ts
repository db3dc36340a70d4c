import type { ExpressionBuilder, ExpressionWrapper, Kysely, Selectable, SqlBool } from 'kysely'
import { DELETED_APP_MS } from '../../domain/accounts.ts'
import { AppError } from '../../errors.ts'
import type { AppAddress } from '../account-changes.ts'
import type { AccountRecord, DeletedApp } from '../account-records.ts'
import type { AppRecord } from '../store.ts'
import { selectAccount } from './accounts.ts'
import { appOf, removeApp } from './apps.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/*
 * Apps that were deleted and can be restored still. Each has its row, and with it its slug, shares and documents; only
 * the directory has it no more. Each function is a part of its caller's transaction.
 */

export async function markDeleted(db: Kysely<Tables>, app: AppRecord, now: number): Promise<DeletedApp> {
  await db.updateTable('apps').set({ deleted_at: now }).where('id', '=', app.id).execute()
  return { ...app, deletedAt: now, restorableUntil: now + DELETED_APP_MS }
}

/** Ordered by slug. */
export async function selectDeletedApps(db: Kysely<Tables>, now: number): Promise<DeletedApp[]> {
  const rows = await db
    .selectFrom('apps')
    .selectAll()
    .where((eb) => isRestorable(eb, now))
    .orderBy('slug')
    .execute()
  return rows.map(deletedApp)
}

/** Those of one account, an operator's also those that have no owner; ordered by slug. */
export async function selectDeletedAppsOf(
  db: Kysely<Tables>,
  id: string,
  now: number,
): Promise<DeletedApp[]> {
  const account = await selectAccount(db, { id })
  if (account === undefined) return []
  return (await selectDeletedApps(db, now)).filter((app) => owns(account, app))
}

/** The slug is the app's still. @throws AppError `app_not_found` */
export async function restoreApp(db: Kysely<Tables>, address: AppAddress, now: number): Promise<AppRecord> {
  const { slug, id } = typeof address === 'string' ? { slug: address } : address
  const row = await db
    .selectFrom('apps')
    .selectAll()
    .where('slug', '=', slug)
    .where((eb) => isRestorable(eb, now))
    .executeTakeFirst()
  if (row === undefined || (id !== undefined && row.id !== id))
    throw new AppError('app_not_found', `there is no deleted app "${slug}" that can be restored`)
  await db.updateTable('apps').set({ deleted_at: null }).where('id', '=', row.id).execute()
  return appOf(row)
}

/** Removes those that can be restored no more; answers whether there were any. */
export async function removeExpiredApps(db: Kysely<Tables>, now: number): Promise<boolean> {
  const rows = await db
    .selectFrom('apps')
    .select('id')
    .where('deleted_at', '<=', BigInt(now - DELETED_APP_MS))
    .execute()
  for (const { id } of rows) await removeApp(db, id)
  return rows.length > 0
}

function deletedApp(row: Selectable<Tables['apps']>): DeletedApp {
  const deletedAt = storedTime(row.deleted_at) ?? 0
  return { ...appOf(row), deletedAt, restorableUntil: deletedAt + DELETED_APP_MS }
}

function isRestorable(
  eb: ExpressionBuilder<Tables, 'apps'>,
  now: number,
): ExpressionWrapper<Tables, 'apps', SqlBool> {
  return eb('deleted_at', '>', BigInt(now - DELETED_APP_MS))
}

function owns({ id, isOperator }: AccountRecord, { owner }: AppRecord): boolean {
  return owner === id || (owner === null && isOperator)
}
