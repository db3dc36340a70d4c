import { AppError } from '../errors.ts'
import type { AuditEntry } from '../storage/account-store.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'

/** Lines that are asked for at a time. */
const MOST_ENTRIES = 1000

/**
 * Who changed what on the whole server and when, the newest first.
 * @throws AppError `permission_denied`, `invalid_parameter`
 */
export async function listServerAudit(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { limit }: { readonly limit: number },
): Promise<AuditEntry[]> {
  requireOperator(caller)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES)
    throw new AppError('invalid_parameter', `the limit must be a whole number from 1 to ${MOST_ENTRIES}`)
  return accounts.listAudit({ limit })
}
