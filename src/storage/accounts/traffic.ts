import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type CellFilter, CellSums } from '../../analytics/cell-sums.ts'
import type { TrafficCell } from '../../analytics/traffic.ts'
import type { TrafficKind, TrafficRow, TrafficWanted } from '../traffic-store.ts'
import type { Tables } from './tables.ts'
import { readTraffic, TRAFFIC_KINDS } from './traffic-kinds.ts'

/** A clock may be put right by so much: what is further ahead was counted by a wrong one. */
export const AHEAD_SECONDS = 2 * 24 * 60 * 60
/** After a body as long as this others get their turn. */
export const LONG_BYTES = 16 * 1024

/**
 * Of when rows of a kind are kept, in seconds since the Unix epoch.
 * @param now milliseconds since then
 * @param share of the time for which they are kept
 */
export function keptSpan(
  kind: TrafficKind,
  now: number,
  share = 1,
): { readonly from: number; readonly to: number } {
  const seconds = Math.floor(now / 1000)
  const keptSeconds = Math.floor(TRAFFIC_KINDS[kind].keptSeconds * share)
  return { from: seconds - keptSeconds, to: seconds + AHEAD_SECONDS }
}

/** Of all apps, also of those that can be restored. */
export async function selectAppIds(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db.selectFrom('apps').select('id').execute()
  return rows.map(({ id }) => id)
}

export async function selectTraffic(
  db: Kysely<Tables>,
  { app, kind, from, to }: TrafficWanted<TrafficKind>,
  newest?: number,
): Promise<{ at: bigint; body: Uint8Array }[]> {
  const rows = db
    .selectFrom('traffic')
    .select(['at', 'body'])
    .where('app', '=', app)
    .where('kind', '=', kind)
    .where('at', '>=', BigInt(from))
    .where('at', '<', BigInt(to))
  if (newest === undefined) return rows.orderBy('at').execute()
  return rows.orderBy('at', 'desc').limit(newest).execute()
}

/** Unpacks one after the other. */
export async function* readRows<Kind extends TrafficKind>(
  kind: Kind,
  rows: readonly { at: bigint; body: Uint8Array }[],
): AsyncGenerator<TrafficRow<Kind>> {
  for (const { at, body } of rows) {
    const value = readTraffic(kind, body)
    if (value !== undefined) yield { at: Number(at), value }
    if (body.length > LONG_BYTES) await setImmediate()
  }
}

/** Adds up packed cells. */
export async function sumRows(
  rows: readonly { body: Uint8Array }[],
  filter: CellFilter,
): Promise<TrafficCell[]> {
  const sums = new CellSums(filter)
  for (const { body } of rows) {
    sums.add(body)
    if (body.length > LONG_BYTES) await setImmediate()
  }
  return sums.cells()
}
