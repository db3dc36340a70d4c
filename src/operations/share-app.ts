import { AppError } from '../errors.ts'
import type { ShareRole } from '../storage/account-records.ts'
import { actorOf, authoriseCaller, ownerOf } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedShare, describeShare } from './list-app-shares.ts'
import type { AppInput } from './open-app.ts'

export interface ShareAppInput extends AppInput {
  /** Of an account that there is, in any letter case. */
  readonly email: string
  /** `editor` or `viewer`. */
  readonly role: string
}

/**
 * Shares an app with an account, or gives it another role; that is its owner's to do.
 * @throws AppError `app_not_found`, `permission_denied`, `account_not_found`, `invalid_parameter`, `too_many_shares`
 */
export async function shareApp(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug, email, role }: ShareAppInput,
): Promise<DescribedShare> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  if (!isShareRole(role))
    throw new AppError('invalid_parameter', 'an app is shared with the role editor or viewer')
  const account = await context.accounts.findAccount({ email })
  if (account === undefined)
    throw new AppError('account_not_found', 'there is no account with this e-mail address')
  if (account.id === app.owner || ownerOf(account) === app.owner)
    throw new AppError('invalid_parameter', 'this account owns the app already')
  await context.accounts.setShare({ app, account: account.id, role }, actorOf(caller))
  return describeShare({ account, role })
}

function isShareRole(role: string): role is ShareRole {
  return role === 'editor' || role === 'viewer'
}
