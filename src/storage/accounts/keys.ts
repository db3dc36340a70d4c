import { type Kysely, sql } from 'kysely'
import { ulid } from 'ulid'
import { isForApp, isForAppAlone, NO_RIGHTS } from '../../domain/key-rules.ts'
import { AppError } from '../../errors.ts'
import type { ExistingKey, KeyAddress, KeyRotation, KeyUpdate, NewKey } from '../account-changes.ts'
import type { AppRecord, KeyRecord, KeySecret } from '../store.ts'
import { type KeyRow, keyRecords, type SecretRow } from './directory-rows.ts'
import { hasEnded, nextSeq } from './expressions.ts'
import { refuseLongRules, refuseManyKeys } from './owner-bounds.ts'
import { forgetSiteKey, publishSecret, refuseWiderSiteKey, selectSiteKeyIds } from './site-keys.ts'
import { rulesFromText, rulesToText, ruleWords } from './stored-rules.ts'
import type { Tables } from './tables.ts'

/*
 * Keys. Each function is a part of its caller's transaction.
 */

/** Secrets of one key that work at a time: the newest, and those before it whose overlap has not ended. */
const WORKING_SECRETS = 100

/** Of one owner or of all, ordered by name. */
export async function selectKeys(
  db: Kysely<Tables>,
  filter?: { readonly owner: string | null },
): Promise<KeyRecord[]> {
  let keys = db.selectFrom('keys').selectAll('keys').orderBy('name').orderBy('id')
  if (filter !== undefined) keys = keys.where('owner', filter.owner === null ? 'is' : '=', filter.owner)
  return withSecrets(db, await keys.execute())
}

/** @throws AppError `key_not_found` */
async function selectKey(db: Kysely<Tables>, address: ExistingKey): Promise<KeyRecord> {
  const [key] = await withSecrets(db, [await selectRow(db, address)])
  return key!
}

/** @throws AppError `key_not_found` */
async function selectRow(db: Kysely<Tables>, address: ExistingKey) {
  const row = await rowOf(db, address)
  if (row !== undefined && isMeant(row, address)) return row
  throw new AppError('key_not_found', `there is no key "${address.name}"; list the keys to see their names`)
}

function isMeant(row: KeyFields, { id = row.id, onlyApp }: ExistingKey): boolean {
  const { apps = [] } = rulesFromText(row.rules).rules
  return row.id === id && (onlyApp === undefined || isForAppAlone({ apps }, onlyApp))
}

export async function selectKeyNames(db: Kysely<Tables>, owner: string | null): Promise<Set<string>> {
  const keys = db.selectFrom('keys').select('name')
  const found = await keys.where('owner', owner === null ? 'is' : '=', owner).execute()
  return new Set(found.map(({ name }) => name))
}

function rowOf(db: Kysely<Tables>, { owner, name }: KeyAddress) {
  const keys = db.selectFrom('keys').selectAll().where('name', '=', name)
  return keys.where('owner', owner === null ? 'is' : '=', owner).executeTakeFirst()
}

async function withSecrets(db: Kysely<Tables>, rows: readonly KeyFields[]): Promise<KeyRecord[]> {
  const secrets = db.selectFrom('key_secrets').selectAll().orderBy('seq', 'desc')
  const wanted = rows.length === 1 ? secrets.where('key_id', '=', rows[0]!.id) : secrets
  return keyRecords({
    keys: rows.map((row) => [
      row.id,
      row.name,
      row.owner,
      row.rules,
      row.created_at,
      row.last_used_at,
      row.token_generation,
    ]),
    secrets: (await wanted.execute()).map(({ key_id, hash, until }): SecretRow => [key_id, hash, until]),
    siteKeys: await selectSiteKeyIds(db),
  })
}

interface KeyFields {
  readonly id: KeyRow[0]
  readonly name: KeyRow[1]
  readonly owner: KeyRow[2]
  readonly rules: KeyRow[3]
  readonly created_at: KeyRow[4]
  readonly last_used_at: KeyRow[5]
  readonly token_generation: KeyRow[6]
}

/**
 * @param at with the most keys that there may be
 * @throws AppError `key_exists`, `too_many_keys`, `invalid_rule` where the rules of all keys are too long
 */
export async function insertKey(
  db: Kysely<Tables>,
  { owner, name, hash, rules }: NewKey,
  { now, most }: { now: number; most: number },
): Promise<KeyRecord> {
  if ((await rowOf(db, { owner, name })) !== undefined)
    throw new AppError('key_exists', `there is a key "${name}" already; choose another name or revoke it`)
  const { count } = await db
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw new AppError(
      'too_many_keys',
      `there may be at most ${most} keys; revoke one that is not used, or raise the limit`,
    )
  await refuseManyKeys(db, owner, most)
  const id = ulid(now)
  await db
    .insertInto('keys')
    .values({ id, name, owner, rules: rulesToText(rules), created_at: now })
    .execute()
  await refuseLongRules(db, owner)
  await insertSecret(db, { id, owner }, hash)
  return { id, name, owner, rules, secrets: [{ hash, until: null }], createdAt: now, lastUsedAt: null }
}

/**
 * Changes some rules. Of those that can't be read nobody knows what they allowed, so that each has to be given anew.
 * @throws AppError `key_not_found`, `invalid_rule`
 */
export async function updateRules(
  db: Kysely<Tables>,
  { rules: changed, saysFull, ...address }: KeyUpdate,
): Promise<KeyRecord> {
  const row = await selectRow(db, address)
  const [known] = await withSecrets(db, [row])
  if (known?.isSiteKey) refuseWiderSiteKey(known, { rules: changed, saysFull })
  const stored = rulesFromText(row.rules)
  const missing = stored.damaged.filter((rule) => changed[rule] === undefined)
  if (missing.length > 0)
    throw new AppError(
      'invalid_rule',
      `the key "${row.name}" has rules that can't be read; give these anew (or their --all-…), or revoke the key: ` +
        ruleWords(missing),
    )
  const rules = rulesToText({ ...NO_RIGHTS, ...stored.rules, ...changed })
  await db.updateTable('keys').set({ rules }).where('id', '=', row.id).execute()
  // One that gets shorter rules is no reason to refuse them, whatever there was before.
  if (rules.length > row.rules.length) await refuseLongRules(db, row.owner)
  return selectKey(db, { owner: row.owner, name: row.name })
}

/**
 * Gives a key a new secret. No older one works longer than until `oldUntil`, so that a second rotation can end at
 * once what a first one let live on.
 * @throws AppError `key_not_found`, `key_exists`, `invalid_rule` where too many older ones would go on, or the key's
 * rules are damaged, or it is a site's and the secret was given
 */
export async function addSecret(
  db: Kysely<Tables>,
  { hash, secret, oldUntil, ...address }: KeyRotation,
  now: number,
): Promise<KeyRecord> {
  await deleteEndedSecrets(db, now)
  const { id, name, secrets, damage } = await selectKey(db, address)
  if (damage !== undefined)
    throw new AppError(
      'invalid_rule',
      `no secret of the key "${name}" works: ${damage}; update its rules first`,
    )
  if (oldUntil > now) refuseManySecrets(name, secrets)
  await db
    .updateTable('key_secrets')
    .set({ until: oldUntil })
    .where('key_id', '=', id)
    .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', BigInt(oldUntil))]))
    .execute()
  await insertSecret(db, { id, owner: address.owner }, hash)
  await publishSecret(db, { id, secret })
  await deleteEndedSecrets(db, now)
  return selectKey(db, address)
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

export async function deleteEndedSecrets(db: Kysely<Tables>, now: number): Promise<void> {
  await db.deleteFrom('key_secrets').where(hasEnded(now)).execute()
}

/** Ends the tokens that were made until now. @throws AppError `key_not_found` */
export async function raiseTokenGeneration(db: Kysely<Tables>, address: ExistingKey): Promise<void> {
  await raiseTokenGenerationOf(db, (await selectRow(db, address)).id)
}

/** The same of every key that may reach an app, now or with its rules mended; answers of how many. */
export async function raiseTokenGenerations(db: Kysely<Tables>, { slug, owner }: AppRecord): Promise<number> {
  const keys = (await selectKeys(db, { owner })).filter(
    ({ rules, damage }) => damage !== undefined || isForApp(rules, slug),
  )
  for (const { id } of keys) await raiseTokenGenerationOf(db, id)
  return keys.length
}

async function raiseTokenGenerationOf(db: Kysely<Tables>, id: string): Promise<void> {
  await db
    .updateTable('keys')
    .set(({ eb }) => ({ token_generation: eb('token_generation', '+', 1n) }))
    .where('id', '=', id)
    .execute()
}

/** @throws AppError `key_not_found` */
export async function deleteKey(db: Kysely<Tables>, address: ExistingKey): Promise<void> {
  await deleteKeyById(db, (await selectRow(db, address)).id)
}

/** With all of its secrets. */
export async function deleteKeyById(db: Kysely<Tables>, id: string): Promise<void> {
  await forgetSiteKey(db, id)
  await db.deleteFrom('key_secrets').where('key_id', '=', id).execute()
  await db.deleteFrom('keys').where('id', '=', id).execute()
}

/** A key that is gone by now is passed over, and a time never goes back. */
export async function updateLastUses(db: Kysely<Tables>, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of uses)
    await db
      .updateTable('keys')
      .set({ last_used_at: at })
      .where('id', '=', id)
      .where(sql<boolean>`coalesce(last_used_at, 0) < ${BigInt(at)}`)
      .execute()
}

/** @throws AppError `key_exists` where it is a secret of any key already, for then it would be that key's, too */
async function insertSecret(
  db: Kysely<Tables>,
  key: { id: string; owner: string | null },
  hash: string,
): Promise<void> {
  const holder = await db
    .selectFrom('key_secrets')
    .leftJoin('keys', 'keys.id', 'key_id')
    .select(['name', 'owner'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (holder !== undefined) {
    // What others call their keys is theirs.
    const name = holder.owner === key.owner ? `the key "${holder.name ?? ''}"` : 'a key'
    throw new AppError(
      'key_exists',
      `this secret is one of ${name} already; give each key a secret of its own`,
    )
  }
  const seq = await nextSeq(db, 'key_secrets')
  await db.insertInto('key_secrets').values({ seq, key_id: key.id, hash, until: null }).execute()
}
