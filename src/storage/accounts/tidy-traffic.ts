import { type Kysely, sql } from 'kysely'
import { selectSetting, upsertSetting } from './settings.ts'
import type { Tables } from './tables.ts'
import { AHEAD_SECONDS, keptSpan } from './traffic.ts'
import { TRAFFIC_KIND_NAMES, TRAFFIC_KINDS } from './traffic-kinds.ts'

/** Of all rows together: what some five apps make in a year that use a thousand pairs of keys and collections all the time. */
export const TRAFFIC_BYTES = 1024 ** 3
/** What a row takes beside its body. */
const ROW_BYTES = 100
/** The least share of their time for which details are kept, however much there is. */
const LEAST_SHARE = 1 / 256

/** The time of the last tidying in ms since the Unix epoch, and how many have since not gone by the clock. */
const CLOCK_SETTING = 'traffic_tidied'
/** Tidyings, of which there is one an hour. */
const MOST_DOUBTS = 24

/**
 * Whether tidying may go by the clock; a part of its caller's transaction. One that was set years ahead or back for a moment
 * would make all history old, or yet to come. So that one which is more than two days from the last tidying is not gone by,
 * until a day of tidyings found it so: then the server was off, or the clock is right at last.
 * @param now milliseconds since the Unix epoch
 */
export async function isClockBelieved(db: Kysely<Tables>, now: number): Promise<boolean> {
  const kept = await selectSetting(db, CLOCK_SETTING)
  const [at = now, doubts = 0] = kept?.split(' ').map(Number) ?? []
  const isDoubtful = Math.abs(now - at) > AHEAD_SECONDS * 1000 && doubts < MOST_DOUBTS
  await upsertSetting(db, CLOCK_SETTING, isDoubtful ? `${at} ${doubts + 1}` : `${now} 0`)
  return !isDoubtful
}

/** Whatever of an app is older than its kind is kept, details when a share of that time is over. */
export async function deleteOldTraffic(
  db: Kysely<Tables>,
  { app, share = 1, now }: { readonly app: string; readonly share?: number; readonly now: number },
): Promise<void> {
  for (const kind of TRAFFIC_KIND_NAMES) {
    const { from, to } = keptSpan(kind, now, TRAFFIC_KINDS[kind].isDetail ? share : 1)
    const rows = db.deleteFrom('traffic').where('app', '=', app).where('kind', '=', kind)
    await rows.where('at', '<', BigInt(from)).execute()
    await rows.where('at', '>=', BigInt(to)).execute()
  }
}

/** What the rows of an app take. */
export async function measureTraffic(db: Kysely<Tables>, app: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('traffic')
    .select(sql<bigint | string | null>`sum(octet_length(body) + ${sql.lit(ROW_BYTES)})`.as('bytes'))
    .where('app', '=', app)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/**
 * Where all is too much, has the older half of the details of that app removed that has most, then of the one that has most
 * by then, and so on.
 * @param cut removes what is older than a share of its time, and answers what the app has left
 */
export async function shrinkTraffic({
  bytesOf,
  mostBytes,
  cut,
}: {
  readonly bytesOf: Map<string, number>
  readonly mostBytes: number
  readonly cut: (app: string, share: number) => Promise<number>
}): Promise<void> {
  const shares = new Map([...bytesOf.keys()].map((app) => [app, 1]))
  while (sum(bytesOf) > mostBytes) {
    const [app, share] = [...shares].reduce((one, other) =>
      bytesOf.get(other[0])! > bytesOf.get(one[0])! ? other : one,
    )
    bytesOf.set(app, await cut(app, share / 2))
    if (share / 2 > LEAST_SHARE) shares.set(app, share / 2)
    else shares.delete(app)
    if (shares.size === 0) return
  }
}

function sum(bytesOf: ReadonlyMap<string, number>): number {
  return bytesOf.values().reduce((total, bytes) => total + bytes, 0)
}
