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
