import type { AppShare, ShareRole } from '../storage/account-records.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/** An account that an app is shared with. */
export interface DescribedShare {
  /** Its id. */
  readonly account: string
  readonly email: string
  readonly name: string
  readonly role: ShareRole
}

export function describeShare({ account: { id, email, name }, role }: AppShare): DescribedShare {
  return { account: id, email, name, role }
}

/** Whom an app is shared with, ordered by e-mail, for its owner. @throws AppError `app_not_found`, `permission_denied` */
export async function listAppShares(
  context: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<DescribedShare[]> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'read' })
  return (await context.accounts.listShares(app)).map(describeShare)
}
