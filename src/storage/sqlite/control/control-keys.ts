import type { DatabaseSync } from 'node:sqlite'
import { ulid } from 'ulid'
import { type KeyRules, NO_RIGHTS } from '../../../domain/key-rules.ts'
import { AppError } from '../../../errors.ts'
import type { KeyRecord, KeySecret } from '../../store.ts'
import { rulesFromText, rulesToText, ruleWords, type StoredRules } from './stored-rules.ts'
import { HAS_ENDED, storedEnd, storedTime } from './stored-times.ts'

/*
 * Keys in the control file. Each function is a part of its caller's transaction.
 */

/** Secrets of one key that work at a time: the newest, and those before it whose overlap has not ended. */
const WORKING_SECRETS = 100

/** Numbers as they stand there, which may be any of 64 bits. */
type KeyRow = [id: string, name: string, rules: string, createdAt: bigint, lastUsedAt: bigint | null]
type SecretRow = [keyId: string, hash: string, until: bigint | null]

const KEY_COLUMNS = 'id, name, rules, created_at, last_used_at'
const SECRETS = 'SELECT key_id, hash, until FROM key_secrets'

/** Ordered by name. One of which a part can't be read is among them, marked, and lets nobody in. */
export function selectKeys(db: DatabaseSync): KeyRecord[] {
  const rows = selectRows<SecretRow>(db, `${SECRETS} ORDER BY seq DESC`)
  const secrets = Map.groupBy(rows, ([keyId]) => keyId)
  // Of ten thousand keys most have the rules of another one.
  const rules = new Map<string, StoredRules>()
  return selectRows<KeyRow>(db, `SELECT ${KEY_COLUMNS} FROM keys ORDER BY name`).map((row) => {
    const [id, , text] = row
    const known = rules.get(text) ?? rulesFromText(text)
    rules.set(text, known)
    return keyRecord(row, known, secrets.get(id) ?? [])
  })
}

/** @throws AppError `key_not_found` */
function selectKey(db: DatabaseSync, name: string): KeyRecord {
  const row = selectRow(db, name)
  return keyRecord(row, rulesFromText(row[2]), secretsOf(db, row[0]))
}

/** @throws AppError `key_not_found` */
function selectRow(db: DatabaseSync, name: string): KeyRow {
  const [row] = selectRows<KeyRow>(db, `SELECT ${KEY_COLUMNS} FROM keys WHERE name = ?`, name)
  if (row !== undefined) return row
  throw new AppError('key_not_found', `there is no key "${name}"; list the keys to see their names`)
}

function secretsOf(db: DatabaseSync, keyId: string): SecretRow[] {
  return selectRows<SecretRow>(db, `${SECRETS} WHERE key_id = ? ORDER BY seq DESC`, keyId)
}

function selectRows<Row extends unknown[]>(
  db: DatabaseSync,
  sql: string,
  ...parameters: readonly string[]
): Row[] {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  // One number that a double can't hold would fail the whole statement.
  statement.setReadBigInts(true)
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

/**
 * Changes some rules. Of those that can't be read nobody knows what they allowed, so that each has to be given anew.
 * @throws AppError `key_not_found`, `invalid_rule`
 */
export function updateRules(db: DatabaseSync, name: string, changed: Partial<KeyRules>): KeyRecord {
  const [id, , text] = selectRow(db, name)
  const stored = rulesFromText(text)
  const missing = stored.damaged.filter((rule) => changed[rule] === undefined)
  if (missing.length > 0)
    throw new AppError(
      'invalid_rule',
      `the key "${name}" has rules that can't be read; give these anew (or their --all-…), or revoke the key: ` +
        ruleWords(missing),
    )
  const rules = rulesToText({ ...NO_RIGHTS, ...stored.rules, ...changed })
  db.prepare('UPDATE keys SET rules = ? WHERE id = ?').run(rules, id)
  return selectKey(db, name)
}

/**
 * Gives a key a new secret. No older one works longer than until `oldUntil`, so that a second rotation can end at
 * once what a first one let live on.
 * @throws AppError `key_not_found`, `invalid_rule` where too many older ones would go on, or the key's rules are damaged
 */
export function addSecret(
  db: DatabaseSync,
  { name, hash, oldUntil, now }: { name: string; hash: string; oldUntil: number; now: number },
): KeyRecord {
  deleteEndedSecrets(db, now)
  const { id, secrets, damage } = selectKey(db, name)
  if (damage !== undefined)
    throw new AppError(
      'invalid_rule',
      `no secret of the key "${name}" works: ${damage}; update its rules first`,
    )
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
  db.prepare(`DELETE FROM key_secrets WHERE ${HAS_ENDED}`).run(now)
}

/** @throws AppError `key_not_found` */
export function deleteKey(db: DatabaseSync, name: string): void {
  const [id] = selectRow(db, name)
  db.prepare('DELETE FROM key_secrets WHERE key_id = ?').run(id)
  db.prepare('DELETE FROM keys WHERE id = ?').run(id)
}

/** A key that is gone by now is passed over, and a time never goes back. */
export function updateLastUses(db: DatabaseSync, uses: ReadonlyMap<string, number>): void {
  const update = db.prepare('UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?')
  for (const [id, at] of uses) update.run(at, id)
}

/** @throws AppError `key_exists` where it is a secret of any key already, for then it would be that key's, too */
function insertSecret(db: DatabaseSync, keyId: string, hash: string): void {
  const owner = 'SELECT name FROM key_secrets LEFT JOIN keys ON keys.id = key_id WHERE hash = ?'
  const row = db.prepare(owner).get(hash)
  if (row !== undefined)
    throw new AppError(
      'key_exists',
      `this secret is one of the key "${row.name ?? ''}" already; give each key a secret of its own`,
    )
  db.prepare('INSERT INTO key_secrets(key_id, hash) VALUES (?, ?)').run(keyId, hash)
}

function keyRecord(
  [id, name, , createdAt, lastUsedAt]: KeyRow,
  { rules, damaged }: StoredRules,
  secrets: readonly SecretRow[],
): KeyRecord {
  return {
    id,
    name,
    rules: damaged.length === 0 ? (rules as KeyRules) : NO_RIGHTS,
    secrets: secrets.map(keySecret),
    createdAt: storedTime(createdAt) ?? 0,
    lastUsedAt: lastUsedAt === null ? null : (storedTime(lastUsedAt) ?? 0),
    ...(damaged.length > 0 && { damage: `the rules of ${ruleWords(damaged)} can't be read` }),
  }
}

function keySecret([, hash, until]: SecretRow): KeySecret {
  return { hash, until: storedEnd(until) }
}
