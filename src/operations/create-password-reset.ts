import { type AccountLink, generateLink } from '../credentials/account-link.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { findAccountOfAnother } from './find-account-of-another.ts'

/**
 * A link by which somebody else gives an account another password, good for a day and once; the one before it ends. The
 * second factor stays.
 * @throws AppError `permission_denied`, `password_required`, `account_not_found`, `too_many_links`
 */
export async function createPasswordReset(
  context: Pick<AccountsContext, 'accounts' | 'origin' | 'now'>,
  caller: Caller,
  input: {
    /** Its id or its e-mail. */
    readonly account: string
  },
): Promise<AccountLink> {
  const { id } = await findAccountOfAnother(context, caller, input.account)
  const { hash, link, until } = generateLink('reset', context)
  await context.accounts.createLink({ purpose: 'reset', account: id, hash, until }, actorOf(caller))
  return { link, until }
}
