import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import type { TokenSecret } from '../../store.ts'

const SECRET_BYTES = 32
const KID_BYTES = 8
/** Secrets that verify at a time: the one in use, and those before it whose last token has not ended. */
const VERIFYING_SECRETS = 100

/*
 * The secrets of tokens in the control file. Each function is a part of its caller's transaction.
 */

/**
 * The one in use first, then those that were rotated out, the newest first.
 * @throws Error where there is none in use, or one is damaged
 */
export function selectTokenSecrets(db: DatabaseSync): TokenSecret[] {
  const rows = db.prepare('SELECT kid, secret, until FROM token_secrets ORDER BY seq DESC').all()
  if (rows[0]?.until !== null) throw new Error('control.sqlite has lost its token secret')
  return rows.map(({ kid, secret, until }) => {
    if (!(secret instanceof Uint8Array) || secret.length !== SECRET_BYTES)
      throw new Error('control.sqlite holds a damaged token secret')
    return { kid: String(kid), secret, until: until === null ? null : Number(until) }
  })
}

export function hasTokenSecret(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM token_secrets WHERE until IS NULL').get() !== undefined
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
  db.prepare('DELETE FROM token_secrets WHERE until <= ?').run(now)
}
