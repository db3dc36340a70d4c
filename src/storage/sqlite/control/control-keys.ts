import type { DatabaseSync } from 'node:sqlite'
import { ulid } from 'ulid'
import type { KeyRules } from '../../../domain/key-rules.ts'
import { AppError } from '../../../errors.ts'
import type { KeyRecord, KeySecret } from '../../store.ts'
import { rulesFromText, rulesToText } from './stored-rules.ts'

/*
 * Keys in the control file. Each function is a part of its caller's transaction.
 */

/** Secrets of one key that work at a time: the newest, and those before it whose overlap has not ended. */
const WORKING_SECRETS = 100

type KeyRow = [id: string, name: string, rules: string, createdAt: number, lastUsedAt: number | null]
type SecretRow = [keyId: string, hash: string, until: number | null]

const KEY_COLUMNS = 'id, name, rules, created_at, last_used_at'
const SECRETS = 'SELECT key_id, hash, until FROM key_secrets'

/** Ordered by name. */
export function selectKeys(db: DatabaseSync): KeyRecord[] {
  const rows = selectRows<SecretRow>(db, `${SECRETS} ORDER BY seq DESC`)
  const secrets = Map.groupBy(rows, ([keyId]) => keyId)
  // Of ten thousand keys most have the rules of another one.
  const rules = new Map<string, KeyRules>()
  return selectRows<KeyRow>(db, `SELECT ${KEY_COLUMNS} FROM keys ORDER BY name`).map((row) => {
    const [id, , text] = row
    const known = rules.get(text) ?? rulesOf(row)
    rules.set(text, known)
    return keyRecord(row, known, secrets.get(id) ?? [])
  })
}

/** @throws AppError `key_not_found` */
function selectKey(db: DatabaseSync, name: string): KeyRecord {
  const [row] = selectRows<KeyRow>(db, `SELECT ${KEY_COLUMNS} FROM keys WHERE name = ?`, name)
  if (row === undefined)
    throw new AppError('key_not_found', `there is no key "${name}"; list the keys to see their names`)
  const secrets = selectRows<SecretRow>(db, `${SECRETS} WHERE key_id = ? ORDER BY seq DESC`, row[0])
  return keyRecord(row, rulesOf(row), secrets)
}

function selectRows<Row extends unknown[]>(
  db: DatabaseSync,
  sql: string,
  ...parameters: readonly string[]
): Row[] {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement.all(...parameters) as unknown as Row[]
}

/**
 * @param key with the most keys that there may be
 * @throws AppError `key_exists`, `too_many_keys`
 */
export function insertKey(
  db: DatabaseSync,
  key: { name: string; hash: string; rules: KeyRules; now: number; most: number },
): KeyRecord {
  const { name, hash, rules, now, most } = key
  if (db.prepare('SELECT 1 FROM keys WHERE name = ?').get(name) !== undefined)
    throw new AppError('key_exists', `there is a key "${name}" already; choose another name or revoke it`)
  const { count } = db.prepare('SELECT count(*) AS count FROM keys').get()!
  if (Number(count) >= most)
    throw new AppError(
      'too_many_keys',
      `there may be at most ${most} keys; revoke one that is not used, or raise the limit`,
    )
  const id = ulid(now)
  db.prepare('INSERT INTO keys(id, name, rules, created_at) VALUES (?, ?, ?, ?)').run(
    id,
    name,
    rulesToText(rules),
    now,
  )
  insertSecret(db, id, hash)
  return { id, name, rules, secrets: [{ hash, until: null }], createdAt: now, lastUsedAt: null }
}

/** @throws AppError `key_not_found` */
export function updateRules(db: DatabaseSync, name: string, changed: Partial<KeyRules>): KeyRecord {
  const key = selectKey(db, name)
  const rules = { ...key.rules, ...changed }
  db.prepare('UPDATE keys SET rules = ? WHERE id = ?').run(rulesToText(rules), key.id)
  return { ...key, rules }
}

/**
 * Gives a key a new secret. No older one works longer than until `oldUntil`, so that a second rotation can end at
 * once what a first one let live on.
 * @throws AppError `key_not_found`, `invalid_rule` where too many older ones would go on
 */
export function addSecret(
  db: DatabaseSync,
  { name, hash, oldUntil, now }: { name: string; hash: string; oldUntil: number; now: number },
): KeyRecord {
  deleteEndedSecrets(db, now)
  const { id, secrets } = selectKey(db, name)
  if (oldUntil > now) refuseManySecrets(name, secrets)
  db.prepare('UPDATE key_secrets SET until = min(coalesce(until, ?1), ?1) WHERE key_id = ?2').run(
    oldUntil,
    id,
  )
  insertSecret(db, id, hash)
  deleteEndedSecrets(db, now)
  return selectKey(db, name)
}

function refuseManySecrets(name: string, secrets: readonly KeySecret[]): void {
  if (secrets.length < WORKING_SECRETS) return
  const first = Math.min(...secrets.map(({ until }) => until ?? Number.POSITIVE_INFINITY))
  throw new AppError(
    'invalid_rule',
    `the key "${name}" has ${WORKING_SECRETS} secrets that work, and the first of them ends at ` +
      `${new Date(first).toISOString()}; rotate it after that, or with --overlap 0, which ends the old ones at once`,
  )
}

export function deleteEndedSecrets(db: DatabaseSync, now: number): void {
  db.prepare('DELETE FROM key_secrets WHERE until <= ?').run(now)
}

/** @throws AppError `key_not_found` */
export function deleteKey(db: DatabaseSync, name: string): void {
  const { id } = selectKey(db, name)
  db.prepare('DELETE FROM key_secrets WHERE key_id = ?').run(id)
  db.prepare('DELETE FROM keys WHERE id = ?').run(id)
}

/** A key that is gone by now is passed over, and a time never goes back. */
export function updateLastUses(db: DatabaseSync, uses: ReadonlyMap<string, number>): void {
  const update = db.prepare('UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?')
  for (const [id, at] of uses) update.run(at, id)
}

function insertSecret(db: DatabaseSync, keyId: string, hash: string): void {
  db.prepare('INSERT INTO key_secrets(key_id, hash) VALUES (?, ?)').run(keyId, hash)
}

function keyRecord(
  [id, name, , createdAt, lastUsedAt]: KeyRow,
  rules: KeyRules,
  secrets: readonly SecretRow[],
): KeyRecord {
  return { id, name, rules, secrets: secrets.map(keySecret), createdAt, lastUsedAt }
}

function rulesOf([id, , rules]: KeyRow): KeyRules {
  try {
    return rulesFromText(rules)
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`the rules of the key with the id ${id} can't be read: ${problem}`, { cause })
  }
}

function keySecret([, hash, until]: SecretRow): KeySecret {
  return { hash, until }
}
