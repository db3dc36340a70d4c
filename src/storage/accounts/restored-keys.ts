import type { Kysely } from 'kysely'
import type { RestoredKey, RestoredKeys } from '../account-changes.ts'
import type { KeySecret } from '../store.ts'
import { nextSeq } from './expressions.ts'
import { insertKey, selectKeyNames } from './keys.ts'
import type { Tables } from './tables.ts'

/** Names that are tried for one key. */
const MOST_TRIES = 1000

interface RestoredKeysOptions {
  readonly keys: readonly RestoredKey[]
  readonly owner: string | null
  readonly bounds: { readonly now: number; readonly most: number }
}

/**
 * Makes keys that were somewhere else, as a part of its caller's transaction. One of which a secret is there already, in
 * whatever key, is left out: a secret is one key's alone.
 * @throws AppError `too_many_keys`, `invalid_rule`
 */
export async function insertRestoredKeys(
  db: Kysely<Tables>,
  { keys, owner, bounds }: RestoredKeysOptions,
): Promise<RestoredKeys> {
  const made: string[] = []
  const renamed: { from: string; to: string }[] = []
  const leftOut: string[] = []
  const taken = await selectKeyNames(db, owner)
  for (const key of keys) {
    const name = (await isAnySecretThere(db, key)) ? undefined : freeName(taken, key.name)
    if (name === undefined) leftOut.push(key.name)
    else if (name === key.name) made.push(name)
    else renamed.push({ from: key.name, to: name })
    if (name === undefined) continue
    taken.add(name)
    await insertRestored(db, { ...key, name }, { owner, bounds })
  }
  return { made, renamed, leftOut }
}

/** For the audit trail: names are whatever the backup says, as many as it says. */
export function countsOf({ made, renamed, leftOut }: RestoredKeys): Record<keyof RestoredKeys, number> {
  return { made: made.length, renamed: renamed.length, leftOut: leftOut.length }
}

async function isAnySecretThere(db: Kysely<Tables>, { secrets }: RestoredKey): Promise<boolean> {
  const hashes = secrets.map(({ hash }) => hash)
  if (new Set(hashes).size < hashes.length) return true
  const there = db.selectFrom('key_secrets').select('hash').where('hash', 'in', hashes)
  return (await there.executeTakeFirst()) !== undefined
}

/** The name, or one with a number behind it; undefined where very many are taken. */
export function freeName(taken: ReadonlySet<string>, name: string): string | undefined {
  if (!taken.has(name)) return name
  for (let number = 2; number <= MOST_TRIES; number++) {
    const other = `${name} ${number}`
    if (!taken.has(other)) return other
  }
  return undefined
}

/** Its secrets come with the newest first, and the newest has the highest number. */
async function insertRestored(
  db: Kysely<Tables>,
  { name, rules, secrets, createdAt }: RestoredKey,
  { owner, bounds }: Pick<RestoredKeysOptions, 'owner' | 'bounds'>,
): Promise<void> {
  const [{ hash, until }, ...newer] = secrets.toReversed() as [KeySecret, ...KeySecret[]]
  const { id } = await insertKey(db, { owner, name, hash, rules }, bounds)
  await db.updateTable('keys').set({ created_at: createdAt }).where('id', '=', id).execute()
  await db.updateTable('key_secrets').set({ until }).where('hash', '=', hash).execute()
  if (newer.length === 0) return
  const next = await nextSeq(db, 'key_secrets')
  const rows = newer.map((secret, index) => ({ seq: next + BigInt(index), key_id: id, ...secret }))
  await db.insertInto('key_secrets').values(rows).execute()
}
