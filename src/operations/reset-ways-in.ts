import { type AccountLink, generateLink } from '../credentials/account-link.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { findAccountOfAnother } from './find-account-of-another.ts'
import { tellAccount } from './tell-account.ts'

/**
 * Shuts whoever is in out of the account of somebody else: it loses its password, passkeys, connected sign-ins and tokens, and
 * all of its sessions end. Answers the link by which it gets another password, good for a day and once. The second factor
 * stays.
 * @throws AppError `permission_denied`, `password_required`, `account_not_found`, `too_many_links`
 */
export async function resetWaysIn(
  context: Pick<AccountsContext, 'accounts' | 'origin' | 'now' | 'mail'>,
  caller: Caller,
  input: {
    /** Its id or its e-mail. */
    readonly account: string
  },
): Promise<AccountLink> {
  const account = await findAccountOfAnother(context, caller, input.account)
  const { hash, link, until } = generateLink('reset', context)
  await context.accounts.resetWaysIn({ account: account.id, hash, until }, actorOf(caller))
  tellAccount(context, account, { notice: 'ways-in-off', caller })
  return { link, until }
}
