import type { AccountCaller, AccountsContext } from './context.ts'
import { type AppKeyInput, findAppKeyToChange } from './find-app-keys.ts'

/**
 * Ends every token that was made from a key until now; the key itself goes on.
 * @throws AppError `app_not_found`, `permission_denied`, `key_not_found`
 */
export async function endAppKeyTokens(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  input: AppKeyInput,
): Promise<void> {
  const { owner, key } = await findAppKeyToChange(context, caller, input)
  await context.accounts.endKeyTokens(key, owner.actor)
}
