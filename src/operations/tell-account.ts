import { type Notice, noticeMail } from '../mail/mail-texts.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import type { AccountsContext, Caller } from './context.ts'

/**
 * Has the account told by mail that what it signs in by was changed, where the server sends mail. Nobody waits for it.
 * @param caller who did it; where it was somebody without a session, no more than the address
 */
export function tellAccount(
  { mail, now }: Pick<AccountsContext, 'mail' | 'now'>,
  { id, email }: Pick<AccountRecord, 'id' | 'email'>,
  { notice, caller }: { readonly notice: Notice; readonly caller: Caller | { readonly address: string } },
): void {
  if (!mail?.mayNotice(id)) return
  const address = 'address' in caller ? caller.address : ''
  const { origin } = mail
  const told = noticeMail({ to: email, origin, notice, at: now(), address })
  mail.later({ about: 'a change of an account', compose: async () => told })
}
