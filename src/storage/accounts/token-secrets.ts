import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../errors.ts'
import { TOKEN_SECRET_BYTES } from './directory-rows.ts'
import { hasEnded, nextSeq } from './expressions.ts'
import type { Tables } from './tables.ts'

const KID_BYTES = 8
/** Secrets that verify at a time: the one in use, and those before it whose last token has not ended. */
const VERIFYING_SECRETS = 100

/*
 * The secrets of tokens. Each function is a part of its caller's transaction.
 */

/** Makes a random secret where there is none to sign with. */
export async function ensureTokenSecret(db: Kysely<Tables>): Promise<void> {
  const inUse = await db
    .selectFrom('token_secrets')
    .select('kid')
    .where('until', 'is', null)
    .where(sql<boolean>`length(secret) = ${TOKEN_SECRET_BYTES}`)
    .executeTakeFirst()
  if (inUse === undefined) await insertTokenSecret(db)
}

/** Makes a random secret and answers its kid. */
export async function insertTokenSecret(db: Kysely<Tables>): Promise<string> {
  const kid = randomBytes(KID_BYTES).toString('hex')
  const seq = await nextSeq(db, 'token_secrets')
  const secret = randomBytes(TOKEN_SECRET_BYTES)
  await db.insertInto('token_secrets').values({ seq, kid, secret, until: null }).execute()
  return kid
}

/**
 * No secret that there is verifies a token after `until`; what ended by `now` is deleted.
 * @throws AppError `invalid_rule` where so many go on that there is no room for another
 */
export async function endTokenSecrets(
  db: Kysely<Tables>,
  { until, now }: { until: number; now: number },
): Promise<void> {
  await deleteEndedTokenSecrets(db, now)
  if (until > now) await refuseManySecrets(db)
  await db
    .updateTable('token_secrets')
    .set({ until })
    .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', BigInt(until))]))
    .execute()
  await deleteEndedTokenSecrets(db, now)
}

async function refuseManySecrets(db: Kysely<Tables>): Promise<void> {
  const { count, first } = await db
    .selectFrom('token_secrets')
    .select(({ fn }) => [fn.countAll().as('count'), fn.min<bigint | null>('until').as('first')])
    .executeTakeFirstOrThrow()
  if (Number(count) < VERIFYING_SECRETS) return
  throw new AppError(
    'invalid_rule',
    `${VERIFYING_SECRETS} secrets verify tokens, and the first of them ends at ` +
      `${new Date(Number(first)).toISOString()}; rotate after that, or with --now, which ends every token at once`,
  )
}

export async function deleteEndedTokenSecrets(db: Kysely<Tables>, now: number): Promise<void> {
  await db.deleteFrom('token_secrets').where(hasEnded(now)).execute()
}
