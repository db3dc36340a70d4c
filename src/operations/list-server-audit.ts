import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { checkAuditLimit, type DescribedAuditEntry, describeAuditEntry } from './describe-audit-entry.ts'

/**
 * Who changed what on the whole server and when, the newest first.
 * @throws AppError `permission_denied`, `invalid_parameter`
 */
export async function listServerAudit(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { limit }: { readonly limit: number },
): Promise<DescribedAuditEntry[]> {
  requireOperator(caller)
  checkAuditLimit(limit)
  return (await accounts.listAudit({ limit })).map(describeAuditEntry)
}
