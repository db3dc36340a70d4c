import { type AccountLink, generateLink } from '../credentials/account-link.ts'
import { AppError } from '../errors.ts'
import { actorOf } from './authorise-caller.ts'
import type { AccountsContext, CommandLineCaller } from './context.ts'

/**
 * A link by which the first account is made, good for a day and once; the one before it ends.
 * @throws AppError `account_exists` where there is an account already
 */
export async function createSetupLink(
  { accounts, origin, now }: Pick<AccountsContext, 'accounts' | 'origin' | 'now'>,
  caller: CommandLineCaller,
): Promise<AccountLink> {
  if ((await accounts.countAccounts()) > 0)
    throw new AppError(
      'account_exists',
      'there is an account already, and this link makes the first one; an operator invites others, as does "sheaf account create"',
    )
  const { hash, link, until } = generateLink('setup', { origin, now })
  await accounts.createLink({ purpose: 'setup', hash, until }, actorOf(caller))
  return { link, until }
}
