import { AppError } from '../errors.ts'
import { authoriseAccount } from './authorise-account.ts'
import { actorOf, requireRecentPassword, requireSession } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/** What becomes of its apps. */
const FATES = ['delete', 'operator'] as const

export interface DeleteAccountInput {
  /** Another account, for operators. */
  readonly id?: string | undefined
  /** `delete` with all documents and keys, or `operator`: they become the operator's. */
  readonly apps: (typeof FATES)[number]
}

/**
 * Deletes an account with its sessions, tokens and shares. `describeDeletion` says what that means for its apps. No token
 * does it: one that leaked would leave nobody to end it.
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
  await context.accounts.deleteAccount({ id, apps }, actorOf(caller))
}
