import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { AppInput } from './open-app.ts'

/**
 * Ends the key of an app's site at once, and every token made from it.
 * @throws AppError `app_not_found`, `permission_denied`, `key_not_found`
 */
export async function revokeSiteKey(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { app: slug }: AppInput,
): Promise<void> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'owner', permission: 'apps' })
  await accounts.revokeSiteKey(app, actorOf(caller, app.id))
}
