import type { AccountCaller, AccountsContext } from './context.ts'
import { type AppKeyInput, findAppKeyToChange } from './find-app-keys.ts'

/**
 * Ends a key at once, and every token made from it.
 * @throws AppError `app_not_found`, `permission_denied`, `key_not_found`
 */
export async function revokeAppKey(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: AccountCaller,
  input: AppKeyInput,
): Promise<void> {
  const { owner, key } = await findAppKeyToChange(context, caller, input)
  await context.accounts.revokeKey(key, owner.actor)
}
