import { setImmediate } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { TRAFFIC_ADDED, type TrafficKind } from '../traffic-store.ts'
import type { AuditedTransactions } from './audited-transactions.ts'
import { upsertSetting } from './settings.ts'
import type { Tables } from './tables.ts'
import { keptSpan, LONG_BYTES } from './traffic.ts'
import type { TrafficAddition } from './traffic-additions.ts'
import { withAdditions } from './traffic-kinds.ts'

/** Rows that are read and written by one statement. */
const AT_ONCE = 100

interface PreparedRow {
  readonly at: number
  readonly additions: readonly TrafficAddition[]
  /** What there was, and what becomes of it. */
  readonly former: Uint8Array | undefined
  readonly body: Uint8Array
}

/** Of an app and a kind. */
interface PreparedRows {
  readonly app: string
  readonly kind: TrafficKind
  readonly rows: readonly PreparedRow[]
}

/**
 * Adds all of it or nothing. What rows become is made before the transaction, for that of a full row takes 80 ms, and nobody
 * else could write meanwhile; a row that is another one by then is made anew.
 * @param note what the setting `TRAFFIC_ADDED` is to say from then on
 */
export async function addToTraffic(
  log: Pick<AuditedTransactions, 'read' | 'write'>,
  { additions, note, now }: { additions: readonly TrafficAddition[]; note?: string | undefined; now: number },
): Promise<void> {
  const prepared = await log.read((db) => prepareRows(db, additions, now))
  if (prepared.length === 0) return
  await log.write(async (db) => {
    await writeRows(db, prepared)
    if (note !== undefined) await upsertSetting(db, TRAFFIC_ADDED, note)
  })
}

async function prepareRows(
  db: Kysely<Tables>,
  additions: readonly TrafficAddition[],
  now: number,
): Promise<PreparedRows[]> {
  const apps = await selectKnown(
    db,
    additions.map(({ app }) => app),
  )
  const kept = additions.filter(({ app, kind, at }) => {
    const { from, to } = keptSpan(kind, now)
    return (kind === 'run' || apps.has(app)) && at >= from && at < to
  })
  const prepared: PreparedRows[] = []
  for (const ofKind of Map.groupBy(kept, ({ app, kind }) => `${app} ${kind}`).values()) {
    const { app, kind } = ofKind[0]!
    const byTime = [...Map.groupBy(ofKind, ({ at }) => at)]
    for (let start = 0; start < byTime.length; start += AT_ONCE)
      prepared.push({ app, kind, rows: await prepare(db, byTime.slice(start, start + AT_ONCE)) })
  }
  return prepared
}

/** @param byTime all of one app and kind */
async function prepare(
  db: Kysely<Tables>,
  byTime: readonly (readonly [at: number, additions: readonly TrafficAddition[]])[],
): Promise<PreparedRow[]> {
  const { app, kind } = byTime[0]![1][0]!
  const times = byTime.map(([at]) => at)
  const bodies = await selectBodies(db, { app, kind, times })
  const rows: PreparedRow[] = []
  for (const [at, additions] of byTime) {
    const former = bodies.get(at)
    const body = added(kind, additions, former)
    rows.push({ at, additions, former, body })
    if (body.length > LONG_BYTES) await setImmediate()
  }
  return rows
}

async function writeRows(db: Kysely<Tables>, prepared: readonly PreparedRows[]): Promise<void> {
  const apps = await selectKnown(
    db,
    prepared.map(({ app }) => app),
  )
  for (const { app, kind, rows } of prepared) {
    if (kind !== 'run' && !apps.has(app)) continue
    const bodies = await selectBodies(db, { app, kind, times: rows.map(({ at }) => at) })
    const values = rows.map(({ at, additions, former, body }) => {
      const found = bodies.get(at)
      return { app, kind, at, body: isSame(found, former) ? body : added(kind, additions, found) }
    })
    await db
      .insertInto('traffic')
      .values(values)
      .onConflict((conflict) =>
        conflict.columns(['app', 'kind', 'at']).doUpdateSet(({ ref }) => ({ body: ref('excluded.body') })),
      )
      .execute()
  }
}

/** Those of these apps that there are, also that can be restored. */
async function selectKnown(db: Kysely<Tables>, apps: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('apps')
    .select('id')
    .where('id', 'in', [...new Set(apps)])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function selectBodies(
  db: Kysely<Tables>,
  {
    app,
    kind,
    times,
  }: { readonly app: string; readonly kind: TrafficKind; readonly times: readonly number[] },
): Promise<Map<number, Uint8Array>> {
  const rows = await db
    .selectFrom('traffic')
    .select(['at', 'body'])
    .where('app', '=', app)
    .where('kind', '=', kind)
    .where('at', 'in', times.map(BigInt))
    .execute()
  return new Map(rows.map(({ at, body }) => [Number(at), body]))
}

function added(
  kind: TrafficKind,
  additions: readonly TrafficAddition[],
  former: Uint8Array | undefined,
): Uint8Array {
  const values = additions.map(({ value }) => value)
  return withAdditions(kind, values as never, former)
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0
}
