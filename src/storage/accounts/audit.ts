import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Actor, AuditEntry, AuditFilter } from '../account-store.ts'
import { contains } from './expressions.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Lines that are kept; the oldest make room for the newest. */
export const AUDIT_LINES = 100_000
/** After so many new lines the oldest go: to find them takes a look at every line, some 50 ms. */
const TRIMMED_EVERY = 100n
/** What the lines about sessions are called. */
const SESSION_ACTIONS = ['session.begin', 'session.end']
/** Such lines that one account has: a hundredth of all, so that a program that signs in each minute pushes out no others. */
const SESSION_LINES = 1_000

/** What a line says beside who and when. */
export interface AuditedChange {
  readonly action: string
  readonly subject: string
  readonly details?: object
  /** The app that it was done to, by its id. */
  readonly app?: string
}

/**
 * Adds a line to the audit trail, as a part of the transaction that does what the line says, and now and then lets go of
 * the oldest where there are too many.
 */
export async function insertAuditEntry(
  db: Kysely<Tables>,
  { action, subject, details = {}, app }: AuditedChange,
  { actor, at }: { actor: Actor; at: number },
): Promise<void> {
  const newest = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst()
  const seq = BigInt(newest?.seq ?? 0) + 1n
  const who = typeof actor === 'string' ? { name: actor, account: null, address: null } : actor
  await db
    .insertInto('audit')
    .values({
      ...{ seq, at, action, subject },
      actor: who.name,
      details: JSON.stringify(details),
      account: who.account,
      app: app ?? (typeof actor === 'string' ? null : (actor.app ?? null)),
      address: who.address,
    })
    .execute()
  if (seq % TRIMMED_EVERY === 0n) await trimAll(db)
}

/** Lets go of the oldest lines where there are too many, of each account about its sessions and then of all. */
async function trimAll(db: Kysely<Tables>): Promise<void> {
  const lines = db.selectFrom('audit').select('seq')
  const ofSessions = lines.where('action', 'in', SESSION_ACTIONS)
  const tooMany = await ofSessions
    .clearSelect()
    .select('account')
    .groupBy('account')
    .having(({ fn }) => fn.countAll(), '>', SESSION_LINES)
    .execute()
  for (const { account } of tooMany) await trim(db, ofSessions.where('account', '=', account), SESSION_LINES)
  await trim(db, lines, AUDIT_LINES)
}

/** Keeps the newest of these lines. */
async function trim(
  db: Kysely<Tables>,
  lines: SelectQueryBuilder<Tables, 'audit', { seq: bigint }>,
  kept: number,
): Promise<void> {
  const surplus = await lines.orderBy('seq', 'desc').limit(1).offset(kept).executeTakeFirst()
  if (surplus === undefined) return
  await db
    .deleteFrom('audit')
    .where('seq', 'in', lines.where('seq', '<=', surplus.seq))
    .execute()
}

/** The newest first. */
export async function selectAuditEntries(
  db: Kysely<Tables>,
  { limit, before, app, slug, account, search = {} }: AuditFilter,
): Promise<AuditEntry[]> {
  let lines = db
    .selectFrom('audit')
    .selectAll('audit')
    .select((audit) =>
      audit.selectFrom('apps').select('apps.slug').whereRef('apps.id', '=', 'audit.app').as('appSlug'),
    )
    .orderBy('seq', 'desc')
    .limit(limit)
  if (before !== undefined) lines = lines.where('seq', '<', BigInt(before))
  if (app !== undefined) lines = lines.where('app', '=', app)
  if (slug !== undefined) lines = lines.where('app', 'in', appsOfSlug(db, slug))
  if (account !== undefined) lines = lines.where('account', '=', account)
  for (const column of SEARCHED) {
    const text = search[column]
    if (text !== undefined) lines = lines.where(contains(column, text))
  }
  const rows = await lines.execute()
  return rows.map(({ seq, at, ...line }) => ({ id: String(seq), at: storedTime(at) ?? 0, ...line }))
}

const SEARCHED = ['actor', 'action', 'subject', 'address'] as const

/** By their ids, also those that are gone: a line of each says what it was called. */
function appsOfSlug(db: Kysely<Tables>, slug: string) {
  return db
    .selectFrom('audit as named')
    .select('named.app')
    .where('named.subject', '=', slug)
    .where('named.action', 'like', 'app.%')
    .where('named.app', 'is not', null)
    .union(db.selectFrom('apps').select('apps.id as app').where('apps.slug', '=', slug))
}
