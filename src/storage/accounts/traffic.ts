import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { type CellFilter, CellSums } from '../../analytics/cell-sums.ts'
import type { TrafficCell } from '../../analytics/traffic.ts'
import type { TrafficKind, TrafficRow, TrafficWanted } from '../traffic-store.ts'
import type { Tables } from './tables.ts'
import type { TrafficAddition } from './traffic-additions.ts'
import { readTraffic, TRAFFIC_KINDS, withAdditions } from './traffic-kinds.ts'

/** A clock may be put right by so much: what is further ahead was counted by a wrong one. */
export const AHEAD_SECONDS = 2 * 24 * 60 * 60
/** Apps whose rows are read and written by one statement. */
const AT_ONCE = 100
/** After a body as long as this others get their turn. */
const LONG_BYTES = 16 * 1024

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

/** A part of its caller's transaction. */
export async function addToTraffic(
  db: Kysely<Tables>,
  additions: readonly TrafficAddition[],
  now: number,
): Promise<void> {
  const apps = new Set(await selectAppIds(db))
  const kept = additions.filter(({ app, kind, at }) => {
    const { from, to } = keptSpan(kind, now)
    return (kind === 'run' || apps.has(app)) && at >= from && at < to
  })
  // Of one time there are rows of all apps.
  const byTime = Map.groupBy(kept, ({ kind, at }) => `${kind} ${at}`)
  for (const ofTime of byTime.values()) {
    const byApp = [...Map.groupBy(ofTime, ({ app }) => app)]
    for (let start = 0; start < byApp.length; start += AT_ONCE)
      await addToRows(db, byApp.slice(start, start + AT_ONCE))
  }
}

/** @param byApp all of one kind and time */
async function addToRows(
  db: Kysely<Tables>,
  byApp: readonly (readonly [app: string, additions: readonly TrafficAddition[]])[],
): Promise<void> {
  const { kind, at } = byApp[0]![1][0]!
  const found = await db
    .selectFrom('traffic')
    .select(['app', 'body'])
    .where('kind', '=', kind)
    .where('at', '=', BigInt(at))
    .where(
      'app',
      'in',
      byApp.map(([app]) => app),
    )
    .execute()
  const bodies = new Map(found.map(({ app, body }) => [app, body]))
  const rows = byApp.map(([app, additions]) => {
    const values = additions.map(({ value }) => value)
    return { app, kind, at, body: withAdditions(kind, values as never, bodies.get(app)) }
  })
  await db
    .insertInto('traffic')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['app', 'kind', 'at']).doUpdateSet(({ ref }) => ({ body: ref('excluded.body') })),
    )
    .execute()
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
