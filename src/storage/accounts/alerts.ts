import type { Kysely } from 'kysely'
import { type Alert, KEPT_ALERTS, TOLD_ALERTS } from '../../domain/alerts.ts'
import { alertOf } from './alert-rows.ts'
import type { Tables } from './tables.ts'

export async function upsertAlerts(db: Kysely<Tables>, alerts: readonly Alert[]): Promise<void> {
  for (const { raisedAt: raised_at, endedAt: ended_at, ...alert } of alerts)
    await db
      .insertInto('alerts')
      .values({ ...alert, raised_at, ended_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ended_at }))
      .execute()
  const kept = await ended(db, KEPT_ALERTS + 1).execute()
  const tooMany = kept[KEPT_ALERTS]?.ended_at
  if (tooMany !== undefined && tooMany !== null)
    await db.deleteFrom('alerts').where('ended_at', '<=', tooMany).execute()
}

export async function selectAlerts(db: Kysely<Tables>): Promise<Alert[]> {
  const firing = db.selectFrom('alerts').selectAll().where('ended_at', 'is', null)
  const rows = [
    ...(await firing.orderBy('raised_at', 'desc').orderBy('id', 'desc').limit(TOLD_ALERTS).execute()),
    ...(await ended(db, TOLD_ALERTS).execute()),
  ]
  return rows.map(alertOf).filter((alert) => alert !== undefined)
}

function ended(db: Kysely<Tables>, limit: number) {
  const all = db.selectFrom('alerts').selectAll().where('ended_at', 'is not', null)
  return all.orderBy('ended_at', 'desc').orderBy('id', 'desc').limit(limit)
}
