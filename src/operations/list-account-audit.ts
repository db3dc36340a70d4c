import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { DescribedAuditEntry } from './describe-audit-entry.ts'
import { type AuditInput, findAuditEntries } from './find-audit-entries.ts'

/**
 * What the account did, wherever it did it, the newest first.
 * @throws AppError `permission_denied` to a token, `invalid_parameter`
 */
export async function listAccountAudit(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  input: AuditInput,
): Promise<DescribedAuditEntry[]> {
  requireSession(caller)
  return findAuditEntries(accounts, input, { account: caller.account.id })
}
