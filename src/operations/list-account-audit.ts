import { AppError } from '../errors.ts'
import type { AuditEntry } from '../storage/account-store.ts'
import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

const MOST_ENTRIES = 1000

/**
 * What the account did, wherever it did it, the newest first.
 * @throws AppError `permission_denied` to a token, `invalid_parameter`
 */
export async function listAccountAudit(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { limit }: { readonly limit: number },
): Promise<AuditEntry[]> {
  requireSession(caller)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES)
    throw new AppError('invalid_parameter', `the limit must be a whole number from 1 to ${MOST_ENTRIES}`)
  return accounts.listAudit({ limit, account: caller.account.id })
}
