import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedApp, describeAccountApps } from './describe-account-apps.ts'
import type { AppInput } from './open-app.ts'

/** @throws AppError `app_not_found`, `permission_denied` */
export async function getAccountApp(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<DescribedApp> {
  const found = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  const [described] = await describeAccountApps(context.accounts, [found])
  return described!
}
