import type { AccountApp } from '../storage/account-records.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { findAppKeys } from './find-app-keys.ts'

/** Whose ids and names somebody may be told with the traffic of an app: those of the keys that they are shown with it. */
export interface ShownKeys {
  /** By ids. Of an app's owner, who has made all keys of it, with those that reach it no more. */
  readonly names: ReadonlyMap<string, string>
  /** Whether a key that is not among them is told of, too: to an app's owner it is one that is gone. */
  readonly hasOthers: boolean
}

export async function findShownKeys(
  accounts: Pick<AccountStore, 'listKeys'>,
  found: AccountApp,
): Promise<ShownKeys> {
  const hasOthers = found.role === 'owner'
  const keys = hasOthers
    ? await accounts.listKeys({ owner: found.app.owner })
    : await findAppKeys(accounts, found)
  return { names: new Map(keys.map(({ id, name }) => [id, name])), hasOthers }
}

/** The name as it may be told, null for that of a key that is withheld. @param name empty without a key */
export function shownKeyName(name: string, shown: readonly string[] | undefined): string | null {
  return name === '' || shown === undefined || shown.includes(name) ? name : null
}

/** All names of keys that may be told; undefined where that is every one. */
export function namesOf({ names, hasOthers }: ShownKeys): readonly string[] | undefined {
  return hasOthers ? undefined : [...names.values()]
}
