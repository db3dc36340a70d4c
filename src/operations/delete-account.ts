import { AppError } from '../errors.ts'
import { authoriseAccount } from './authorise-account.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { FATES, type FateOfApps, fatesOfApps } from './fates-of-apps.ts'

export interface DeleteAccountInput {
  /** Another account, for operators. */
  readonly id?: string | undefined
  /** `delete` with all documents and keys, or `operator`: they become the operator's. */
  readonly apps: FateOfApps
}

/**
 * Deletes an account with its sessions, tokens and shares. `describeDeletion` says what that means for its apps. No token
 * does it: one that leaked would leave nobody to end it. Whoever has a quota can't leave its apps to the operator by itself.
 * @throws AppError `permission_denied`, `password_required`, `account_not_found`, `last_operator`, `invalid_parameter`
 */
export async function deleteAccount(
  context: Pick<AccountsContext, 'accounts' | 'now'>,
  caller: Caller,
  { id: given, apps }: DeleteAccountInput,
): Promise<void> {
  const id = authoriseAccount(caller, given)
  if (caller.kind === 'account') requireSession(caller)
  requireRecentPassword(context, caller)
  // Anything else would leave the apps to the operator.
  if (!FATES.includes(apps)) throw new AppError('invalid_parameter', `apps should be ${FATES.join(' or ')}`)
  if (!(await fatesOfApps(context, caller, id)).includes(apps))
    throw new AppError(
      'permission_denied',
      'an account that has a quota is deleted with its apps; an operator of this server may delete it and keep them',
    )
  await context.accounts.deleteAccount({ id, apps }, actorOf(caller))
}
