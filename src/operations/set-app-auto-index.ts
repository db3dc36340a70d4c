import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppAutoIndex } from './get-app-auto-index.ts'
import type { AppInput } from './open-app.ts'

/** Indexes that are there stay. @throws AppError as `authoriseCaller` does */
export async function setAppAutoIndex(
  { accounts, isAutoIndexOn }: Pick<AccountsContext, 'accounts' | 'isAutoIndexOn'>,
  caller: AccountCaller,
  { app: slug, on: isOn }: AppInput & { readonly on: boolean },
): Promise<AppAutoIndex> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'owner', permission: 'apps' })
  await accounts.setAutoIndex({ app, isOn }, actorOf(caller))
  return { on: isOn, server: isAutoIndexOn }
}
