import type { Kysely } from 'kysely'
import type { KeyRules } from '../../domain/key-rules.ts'
import { refusedFull } from '../../domain/site-key-permission.ts'
import { AppError } from '../../errors.ts'
import type { KeyUpdate } from '../account-changes.ts'
import type { Tables } from './tables.ts'

/*
 * Keys that the pages of a site ask the API with. They are published with the site, so that each opens its app alone, to
 * pages of its site alone. Each function is a part of its caller's transaction.
 */

/** Versions of a site that are kept where nobody said how many. */
export const DEFAULT_KEPT = 20

/** Rules that make a key that of a site; where the site is, is not for the key to say. */
export const SITE_KEY_REACH = { websites: [], localhost: false } as const satisfies Partial<KeyRules>

/** The ids of all keys of sites. */
export async function selectSiteKeyIds(db: Kysely<Tables>): Promise<Set<string | null>> {
  const rows = await db.selectFrom('sites').select('key_id').where('key_id', 'is not', null).execute()
  return new Set(rows.map(({ key_id }) => key_id))
}

/** The id of the key that an app's site has. @param app by its id */
export async function selectSiteKeyId(db: Kysely<Tables>, app: string): Promise<string | undefined> {
  const row = await db.selectFrom('sites').select('key_id').where('app', '=', app).executeTakeFirst()
  return row?.key_id ?? undefined
}

/** @param key with the app by its id, and the secret in clear */
export async function putSiteKey(
  db: Kysely<Tables>,
  { app, id, secret }: { app: string; id: string; secret: string },
): Promise<void> {
  const key = { key_id: id, key: secret }
  await db
    .insertInto('sites')
    .values({ app, live: null, last_version: 0, kept: DEFAULT_KEPT, ...key })
    .onConflict((conflict) => conflict.column('app').doUpdateSet(key))
    .execute()
}

/**
 * Publishes the new secret of a key, where it is a site's.
 * @param secret in clear; undefined where somebody gave it, who may use it for more
 * @throws AppError `invalid_rule`
 */
export async function publishSecret(
  db: Kysely<Tables>,
  { id, secret }: { id: string; secret: string | undefined },
): Promise<void> {
  if (!(await selectSiteKeyIds(db)).has(id)) return
  if (secret === undefined)
    throw new AppError(
      'invalid_rule',
      'the secret of a site key is published with the site, so that none is taken that was made elsewhere; rotate it ' +
        'without one',
    )
  await db.updateTable('sites').set({ key: secret }).where('key_id', '=', id).execute()
}

/** Called where the key goes. @param id the key's */
export async function forgetSiteKey(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable('sites').set({ key_id: null, key: null }).where('key_id', '=', id).execute()
}

/** Holds a key that is a site's to what it is for. @throws AppError `invalid_rule` */
export function refuseWiderSiteKey(
  { name, rules, damage }: { name: string; rules: KeyRules; damage?: string | undefined },
  { rules: { apps, websites, localhost }, saysFull }: Pick<KeyUpdate, 'rules' | 'saysFull'>,
): void {
  const key = `the site key ${JSON.stringify(name)}`
  if (damage !== undefined)
    throw new AppError('invalid_rule', `${key} has rules that can't be read; revoke it, and make another one`)
  if (saysFull) throw refusedFull()
  const isOtherApp = apps !== undefined && (apps === 'all' || apps.some((slug) => !rules.apps.includes(slug)))
  if (isOtherApp || websites !== undefined || localhost === true)
    throw new AppError(
      'invalid_rule',
      `${key} is for pages of its site and its app alone; make another key for what is more`,
    )
}
