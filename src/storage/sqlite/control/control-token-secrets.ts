import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import type { TokenSecret } from '../../store.ts'
import { HAS_ENDED, storedEnd } from './stored-times.ts'

const SECRET_BYTES = 32
const KID_BYTES = 8
/** Secrets that verify at a time: the one in use, and those before it whose last token has not ended. */
const VERIFYING_SECRETS = 100

/*
 * The secrets of tokens in the control file. Each function is a part of its caller's transaction.
 */

/** The newest first; one that is damaged is left out, and what it signed with it. */
export function selectTokenSecrets(db: DatabaseSync): TokenSecret[] {
  const statement = db.prepare('SELECT kid, secret, until FROM token_secrets ORDER BY seq DESC')
  // One number that a double can't hold would fail the whole statement.
  statement.setReadBigInts(true)
  return statement
    .all()
    .map(({ kid, secret, until }) => ({
      kid: String(kid),
      secret: secret as Uint8Array,
      until: storedEnd(until),
    }))
    .filter(({ secret }) => secret instanceof Uint8Array && secret.length === SECRET_BYTES)
}

/** Whether there is one to sign with. */
export function hasTokenSecret(db: DatabaseSync): boolean {
  const inUse = 'SELECT 1 FROM token_secrets WHERE until IS NULL AND length(secret) = ?'
  return db.prepare(inUse).get(SECRET_BYTES) !== undefined
}

/** Makes a random secret and answers its kid. */
export function insertTokenSecret(db: DatabaseSync): string {
  const kid = randomBytes(KID_BYTES).toString('hex')
  db.prepare('INSERT INTO token_secrets(kid, secret) VALUES (?, ?)').run(kid, randomBytes(SECRET_BYTES))
  return kid
}

/**
 * No secret that there is verifies a token after `until`; what ended by `now` is deleted.
 * @throws AppError `invalid_rule` where so many go on that there is no room for another
 */
export function endTokenSecrets(db: DatabaseSync, { until, now }: { until: number; now: number }): void {
  deleteEndedTokenSecrets(db, now)
  if (until > now) refuseManySecrets(db)
  db.prepare('UPDATE token_secrets SET until = min(coalesce(until, ?1), ?1)').run(until)
  deleteEndedTokenSecrets(db, now)
}

function refuseManySecrets(db: DatabaseSync): void {
  const row = db.prepare('SELECT count(*) AS count, min(until) AS first FROM token_secrets').get()
  if (Number(row?.count) < VERIFYING_SECRETS) return
  throw new AppError(
    'invalid_rule',
    `${VERIFYING_SECRETS} secrets verify tokens, and the first of them ends at ` +
      `${new Date(Number(row?.first)).toISOString()}; rotate after that, or with --now, which ends every token at once`,
  )
}

export function deleteEndedTokenSecrets(db: DatabaseSync, now: number): void {
  db.prepare(`DELETE FROM token_secrets WHERE ${HAS_ENDED}`).run(now)
}
