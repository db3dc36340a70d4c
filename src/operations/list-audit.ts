import { AppError } from '../errors.ts'
import type { AppStore, AuditEntry } from '../storage/account-store.ts'

const MOST_ENTRIES = 100_000

/** Who changed accounts, what and when, the newest first. @throws AppError `invalid_parameter` */
export async function listAudit(control: AppStore, { limit }: { limit: number }): Promise<AuditEntry[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ENTRIES)
    throw new AppError('invalid_parameter', `the limit must be a whole number from 1 to ${MOST_ENTRIES}`)
  return control.listAudit({ limit })
}
