import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/** Whether indexes are made for an app without being asked for. */
export interface AppAutoIndex {
  /** Whether the app lets them be made. */
  readonly on: boolean
  /** Whether the server makes any. */
  readonly server: boolean
}

/** @throws AppError as `authoriseCaller` does */
export async function getAppAutoIndex(
  { accounts, isAutoIndexOn }: Pick<AccountsContext, 'accounts' | 'isAutoIndexOn'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<AppAutoIndex> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'viewer', permission: 'read' })
  return { on: await accounts.hasAutoIndex(app.id), server: isAutoIndexOn }
}
