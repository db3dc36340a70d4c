import { AppError } from '../errors.ts'
import type { AccountStore, AuditFilter, AuditSearch } from '../storage/account-store.ts'
import { type DescribedAuditEntry, describeAuditEntry } from './describe-audit-entry.ts'

const DEFAULT_ENTRIES = 100
/** Entries that may be asked for at a time. */
const MOST_ENTRIES = 1000
/** Characters; an e-mail address has 254 at most. */
const MOST_SEARCHED = 254
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
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES)
    throw new AppError('invalid_parameter', `the limit must be a whole number from 1 to ${MOST_ENTRIES}`)
  if (before !== undefined && !ID.test(before))
    throw new AppError('invalid_parameter', 'before must be the id of an entry')
  for (const [name, text] of Object.entries({ ...search, app: within.slug })) requireSearchable(name, text)
  const found = await accounts.listAudit({ ...within, limit, before, search })
  return found.map(describeAuditEntry)
}

/** @throws AppError `invalid_parameter` */
function requireSearchable(name: string, text: string | undefined): void {
  if (text === undefined || (text.length <= MOST_SEARCHED && !text.includes('\0'))) return
  throw new AppError(
    'invalid_parameter',
    `${name} must have ${MOST_SEARCHED} characters at most, none of them U+0000`,
  )
}
