import { type Kysely, type RawBuilder, sql } from 'kysely'
import { LATEST_MS } from './stored-times.ts'
import type { Tables } from './tables.ts'

/** Whether what ends by the column `until` has ended, as `storedEnd` reads it. */
export function hasEnded(now: number): RawBuilder<boolean> {
  return sql<boolean>`(until <= ${BigInt(now)} or until > ${BigInt(LATEST_MS)})`
}

/** Changes come one after the other, so that nobody else takes the number. */
export async function nextSeq(db: Kysely<Tables>, table: 'key_secrets' | 'token_secrets'): Promise<bigint> {
  const newest = await db
    .selectFrom(table)
    .select(({ fn }) => fn.max<bigint | null>('seq').as('seq'))
    .executeTakeFirstOrThrow()
  return (newest.seq ?? 0n) + 1n
}

/** Whether a text stands in a column, in whatever case (of letters a to z). */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`
}
