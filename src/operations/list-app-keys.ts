import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type AppKey, describeAppKeys } from './describe-app-keys.ts'
import { findAppKeys } from './find-app-keys.ts'
import type { AppInput } from './open-app.ts'

/** The keys of an app that the account may see, ordered by name. @throws AppError `app_not_found`, `permission_denied` */
export async function listAppKeys(
  context: Pick<AccountsContext, 'accounts' | 'sites'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<AppKey[]> {
  const found = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  return describeAppKeys(context, found, await findAppKeys(context.accounts, found))
}
