import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/** Lets an account look at the requests of an app while they come; asked again and again while it does. */
export async function watchTraffic(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<{ readonly app: string; readonly account: string }> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'viewer', permission: 'read' })
  return { app: app.id, account: caller.account.id }
}
