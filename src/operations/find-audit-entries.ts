import { AppError } from '../errors.ts'
import type { AccountStore, AuditFilter, AuditSearch } from '../storage/account-store.ts'
import { checkListInput } from './check-list-input.ts'
import { type DescribedAuditEntry, describeAuditEntry } from './describe-audit-entry.ts'

const DEFAULT_ENTRIES = 100
const ID = /^\d{1,18}$/

/** Which part of an audit trail is wanted. */
export interface AuditInput extends AuditSearch {
  /** 100 where it is not given, 1,000 at most. */
  readonly limit?: number | undefined
  /** The id of the oldest entry that one has: those before it. */
  readonly before?: string | undefined
}

/** The newest first. @throws AppError `invalid_parameter` */
export async function findAuditEntries(
  accounts: Pick<AccountStore, 'listAudit'>,
  { limit = DEFAULT_ENTRIES, before, ...search }: AuditInput,
  within: Pick<AuditFilter, 'app' | 'slug' | 'account'>,
): Promise<DescribedAuditEntry[]> {
  checkListInput({ ...search, limit, app: within.slug })
  if (before !== undefined && !ID.test(before))
    throw new AppError('invalid_parameter', 'before must be the id of an entry')
  const found = await accounts.listAudit({ ...within, limit, before, search })
  return found.map(describeAuditEntry)
}
