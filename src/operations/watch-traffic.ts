import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { findShownKeys, namesOf } from './find-shown-keys.ts'
import type { AppInput } from './open-app.ts'

export interface WatchedTraffic {
  /** By its id, as the account is. */
  readonly app: string
  readonly account: string
  /** Names of keys that may be told; undefined where that is every one. */
  readonly shownKeys: readonly string[] | undefined
}

/** Lets an account look at the requests of an app while they come; asked again and again while it does. */
export async function watchTraffic(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<WatchedTraffic> {
  const found = await authoriseCaller({ accounts }, caller, { slug, role: 'viewer', permission: 'read' })
  const shownKeys = namesOf(await findShownKeys(accounts, found))
  return { app: found.app.id, account: caller.account.id, shownKeys }
}
