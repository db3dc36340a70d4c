import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { DescribedAuditEntry } from './describe-audit-entry.ts'
import { type AuditInput, findAuditEntries } from './find-audit-entries.ts'

/**
 * Who changed what on the whole server and when, the newest first.
 * @param input `app` is a slug: what was done to every app that has or had it
 * @throws AppError `permission_denied`, `invalid_parameter`
 */
export async function listServerAudit(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { app: slug, ...input }: AuditInput & { readonly app?: string | undefined },
): Promise<DescribedAuditEntry[]> {
  requireOperator(caller)
  return findAuditEntries(accounts, input, { slug })
}
