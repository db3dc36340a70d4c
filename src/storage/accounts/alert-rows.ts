import type { Selectable } from 'kysely'
import { ALERT_KINDS, type Alert } from '../../domain/alerts.ts'
import { storedEnd, storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** A row as every database gives it. */
export type AlertRow = Selectable<Tables['alerts']>

/** Those that fire, which a start has to know before the query builder is loaded. */
export const FIRING_SELECT =
  'SELECT id, kind, subject, message, raised_at, ended_at FROM alerts WHERE ended_at IS NULL LIMIT 1000'

/** Undefined for a kind that there is none of. */
export function alertOf(row: AlertRow): Alert | undefined {
  const { id, subject, message } = row
  const kind = ALERT_KINDS.find((each) => each === row.kind)
  if (kind === undefined) return undefined
  return {
    id,
    kind,
    subject,
    message,
    raisedAt: storedTime(row.raised_at) ?? 0,
    endedAt: storedEnd(row.ended_at),
  }
}
