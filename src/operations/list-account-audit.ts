import { requireSession } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { checkAuditLimit, type DescribedAuditEntry, describeAuditEntry } from './describe-audit-entry.ts'

/**
 * What the account did, wherever it did it, the newest first.
 * @throws AppError `permission_denied` to a token, `invalid_parameter`
 */
export async function listAccountAudit(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
  { limit }: { readonly limit: number },
): Promise<DescribedAuditEntry[]> {
  requireSession(caller)
  checkAuditLimit(limit)
  return (await accounts.listAudit({ limit, account: caller.account.id })).map(describeAuditEntry)
}
