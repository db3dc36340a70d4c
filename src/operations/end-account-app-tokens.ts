import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/**
 * Ends every token that lets anybody in at an app, and answers of how many keys; these go on. That is its owner's to do: an
 * editor may not touch keys that are for other apps, too, whose tokens would be left.
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function endAccountAppTokens(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<{ readonly keys: number }> {
  const { app } = await authoriseCaller({ accounts }, caller, { slug, role: 'owner', permission: 'apps' })
  return { keys: await accounts.endAppTokens(app, actorOf(caller)) }
}
