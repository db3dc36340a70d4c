import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

/** The JSON text that `putPreferences` was given last, or `{}`. @throws AppError `permission_denied` to a token */
export async function getPreferences(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<string> {
  requireSession(caller)
  return accounts.getPreferences(caller.account.id)
}
