import type { PasskeyRecord } from '../storage/account-records.ts'
import { actorOf, requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { refuseName } from './create-passkey.ts'

/** @throws AppError `permission_denied` to a token, `invalid_passkey` for a name that is none, `passkey_not_found` */
export async function renamePasskey(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<PasskeyRecord> {
  requireSession(caller)
  refuseName(name)
  return accounts.renamePasskey({ account: caller.account.id, id, name }, actorOf(caller))
}
