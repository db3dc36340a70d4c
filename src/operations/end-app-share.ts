import { AppError } from '../errors.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

export interface EndAppShareInput extends AppInput {
  /** By its id. */
  readonly account: string
}

/**
 * Ends the share of an account in an app: the owner anybody's, everybody else their own.
 * @throws AppError `app_not_found`, `permission_denied`, `account_not_found` where the app is not shared with it
 */
export async function endAppShare(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug, account }: EndAppShareInput,
): Promise<void> {
  const role = account === caller.account.id ? 'viewer' : 'owner'
  const { app } = await authoriseCaller(context, caller, { slug, role, permission: 'apps' })
  const shares = await context.accounts.listShares(app)
  if (!shares.some((share) => share.account.id === account))
    throw new AppError('account_not_found', 'the app is not shared with this account')
  await context.accounts.setShare({ app, account, role: null }, actorOf(caller))
}
