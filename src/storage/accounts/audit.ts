import type { Kysely } from 'kysely'
import type { Actor, AuditEntry, AuditFilter } from '../account-store.ts'
import { contains } from './expressions.ts'
import { storedTime } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Lines that are kept; the oldest makes room for the newest. */
export const AUDIT_LINES = 100_000

/** What a line says beside who and when. */
export interface AuditedChange {
  readonly action: string
  readonly subject: string
  readonly details?: object
  /** The app that it was done to, by its id. */
  readonly app?: string
}

/**
 * Adds a line to the audit trail, as a part of the transaction that does what the line says, and lets go of the oldest
 * where there are too many.
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
  // Only the oldest are ever deleted, so that the numbers of lines have no gaps.
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
  await db
    .deleteFrom('audit')
    .where('seq', '<=', seq - BigInt(AUDIT_LINES))
    .execute()
}

/** The newest first. */
export async function selectAuditEntries(
  db: Kysely<Tables>,
  { limit, before, app, slug, account, search = {} }: AuditFilter,
): Promise<AuditEntry[]> {
  let lines = db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(limit)
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
