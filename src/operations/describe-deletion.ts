import { isForApp } from '../domain/key-rules.ts'
import { AppError } from '../errors.ts'
import type { AccountApp } from '../storage/account-records.ts'
import type { KeyRecord } from '../storage/store.ts'
import { authoriseAccount } from './authorise-account.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type FateOfApps, fatesOfApps } from './fates-of-apps.ts'

export interface DeletionDescription {
  /** What the account owns, ordered by slug: it is deleted, or becomes the operator's. */
  readonly apps: readonly OwnedApp[]
  /** Slugs of what others share with it, which stays as it is. */
  readonly sharedApps: readonly string[]
  /** Its keys; each goes, or opens no more apps than these from then on. */
  readonly keys: number
  /** What may become of the apps. */
  readonly fates: readonly FateOfApps[]
}

export interface OwnedApp {
  readonly slug: string
  /** How many of its keys open it. */
  readonly keys: number
  /** With how many accounts it is shared. */
  readonly shares: number
}

/**
 * What is there to go with an account. What an operator makes is all operators' together, and doesn't go with any of them.
 * @param input another account, by its id, for operators
 * @throws AppError `permission_denied`, `account_not_found`
 */
export async function describeDeletion(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { id: given }: { readonly id?: string | undefined } = {},
): Promise<DeletionDescription> {
  const id = authoriseAccount(caller, given)
  if ((await accounts.findAccount({ id })) === undefined)
    throw new AppError('account_not_found', 'there is no such account')
  const all = await accounts.listAppsOf(id)
  const keys = await accounts.listKeys({ owner: id })
  const apps: OwnedApp[] = []
  for (const { app } of all.filter((each) => each.app.owner === id))
    apps.push({
      slug: app.slug,
      keys: keys.filter((key) => opens(key, app.slug)).length,
      shares: (await accounts.listShares(app.slug)).length,
    })
  const sharedApps = all.filter(isShared).map(({ app }) => app.slug)
  return { apps, sharedApps, keys: keys.length, fates: await fatesOfApps({ accounts }, caller, id) }
}

function isShared({ role }: AccountApp): boolean {
  return role !== 'owner'
}

function opens({ rules, damage }: KeyRecord, slug: string): boolean {
  return damage === undefined && isForApp(rules, slug)
}
