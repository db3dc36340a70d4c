import type { Kysely } from 'kysely'
import type { KeyRules } from '../../domain/key-rules.ts'
import type { AccountRecord } from '../account-records.ts'
import type { KeyRecord } from '../store.ts'
import { refuseLastOperator, requireAccount } from './accounts.ts'
import { appOf, removeApp } from './apps.ts'
import { deleteKeyById, selectKeys } from './keys.ts'
import { rulesToText } from './stored-rules.ts'
import type { Tables } from './tables.ts'

export interface DeletedAccount {
  readonly account: AccountRecord
  /** What it had, by their slugs. */
  readonly apps: readonly string[]
}

/**
 * Deletes an account with all that goes with it, as a part of the caller's transaction.
 * @throws AppError `account_not_found`, `last_operator`
 */
export async function deleteAccount(
  db: Kysely<Tables>,
  { id, apps: fate }: { id: string; apps: 'delete' | 'operator' },
): Promise<DeletedAccount> {
  const account = await requireAccount(db, id)
  await refuseLastOperator(db, account)
  const rows = await db.selectFrom('apps').selectAll().where('owner', '=', id).orderBy('slug').execute()
  const apps = rows.map(appOf)
  const slugs = apps.map(({ slug }) => slug)
  const keys = await selectKeys(db, { owner: id })
  if (fate === 'delete') {
    for (const app of apps) await removeApp(db, app.id)
    for (const key of keys) await deleteKeyById(db, key.id)
  } else {
    await db.updateTable('apps').set({ owner: null }).where('owner', '=', id).execute()
    for (const key of keys) await handOver(db, key, slugs)
  }
  // Its sessions, tokens, codes, links and shares go with the row.
  await db.deleteFrom('accounts').where('id', '=', id).execute()
  return { account, apps: slugs }
}

/** Makes a key the operator's, which from then on names the apps that it could reach by `all`, and no other. */
async function handOver(db: Kysely<Tables>, key: KeyRecord, slugs: readonly string[]): Promise<void> {
  const reach = key.rules.apps
  const apps = reach === 'all' ? slugs : slugs.filter((slug) => reach.includes(slug))
  // One without rules that can be read would open nothing, and could be given all by whoever mends it.
  if (apps.length === 0 || key.damage !== undefined) return deleteKeyById(db, key.id)
  const rules: KeyRules = { ...key.rules, apps }
  const name = await freeName(db, key)
  await db
    .updateTable('keys')
    .set({ owner: null, name, rules: rulesToText(rules) })
    .where('id', '=', key.id)
    .execute()
}

/** Code points of the old name that stay where it is taken; with the key's id they are a name's length still. */
const KEPT_CODE_POINTS = 100

async function freeName(db: Kysely<Tables>, { id, name }: KeyRecord): Promise<string> {
  const taken = await db
    .selectFrom('keys')
    .select('id')
    .where('owner', 'is', null)
    .where('name', '=', name)
    .executeTakeFirst()
  return taken === undefined ? name : `${[...name].slice(0, KEPT_CODE_POINTS).join('')} ${id}`
}
