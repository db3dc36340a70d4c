import { isForApp, isForAppAlone } from '../domain/key-rules.ts'
import { AppError } from '../errors.ts'
import type { ExistingKey } from '../storage/account-changes.ts'
import type { AccountApp } from '../storage/account-records.ts'
import type { AccountStore } from '../storage/account-store.ts'
import type { KeyRecord } from '../storage/store.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext, OwnerContext } from './context.ts'
import type { AppInput } from './open-app.ts'

export interface AppKeyInput extends AppInput {
  readonly id: string
}

/**
 * The keys that an account may see with an app, ordered by name: its owner all that reach it, and those whose rules can't
 * be read; others those that are for this app alone, for what a key may do elsewhere is the owner's affair.
 */
export async function findAppKeys(
  accounts: Pick<AccountStore, 'listKeys'>,
  { app: { slug, owner }, role }: AccountApp,
): Promise<KeyRecord[]> {
  const keys = await accounts.listKeys({ owner })
  if (role !== 'owner') return keys.filter(({ rules }) => isForAppAlone(rules, slug))
  return keys.filter(({ rules, damage }) => damage !== undefined || isForApp(rules, slug))
}

/** What the operations on keys need to change one of an app. */
export interface FoundAppKey {
  readonly owner: OwnerContext
  readonly found: AccountApp
  /** As long as it is what was found here: an editor must not get at a key that its owner has given more by then. */
  readonly key: ExistingKey
  readonly isSiteKey: boolean
}

/**
 * Finds a key that an account may change: its owner every one that is shown, an editor those that are for this app alone, but
 * for the site's, which only the owner can have made.
 * @throws AppError `app_not_found`, `permission_denied`, `key_not_found`
 */
export async function findAppKeyToChange(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  input: AppKeyInput,
): Promise<FoundAppKey> {
  const found = await findAppKey(context, caller, input)
  if (!found.isSiteKey || found.found.role === 'owner') return found
  throw new AppError('permission_denied', "the key of its site is the app owner's to change")
}

/**
 * Finds a key that an account may try.
 * @throws AppError `app_not_found`, `permission_denied`, `key_not_found`
 */
export async function findAppKey(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  { app: slug, id }: AppKeyInput,
): Promise<FoundAppKey> {
  const found = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  const key = (await findAppKeys(context.accounts, found)).find((each) => each.id === id)
  if (key === undefined) throw new AppError('key_not_found', 'the app has no such key')
  const { owner, name } = key
  const onlyApp = found.role === 'owner' ? undefined : slug
  const of = { found, owner: ownerContextOf(context, caller, found), isSiteKey: key.isSiteKey === true }
  return { ...of, key: { owner, name, id, onlyApp } }
}

/** For keys of an app, which are its owner's, whoever makes them. */
export function ownerContextOf(
  { accounts, now }: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  { app }: AccountApp,
): OwnerContext {
  return { control: accounts, actor: actorOf(caller, app.id), owner: app.owner, now }
}
