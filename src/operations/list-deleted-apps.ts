import { isoTime } from '../domain/iso-time.ts'
import type { DeletedApp } from '../storage/account-records.ts'
import { requireTokenPermission } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'

export interface DescribedDeletedApp {
  readonly slug: string
  readonly createdAt: string
  readonly deletedAt: string
  /** Then it is removed with all of its documents. */
  readonly restorableUntil: string
}

/** The deleted apps that an account can restore, ordered by slug. @throws AppError `permission_denied` */
export async function listDeletedApps(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  caller: AccountCaller,
): Promise<DescribedDeletedApp[]> {
  requireTokenPermission(caller, 'read')
  return (await accounts.listDeletedAppsOf(caller.account.id)).map(describeDeletedApp)
}

export function describeDeletedApp({
  slug,
  createdAt,
  deletedAt,
  restorableUntil,
}: DeletedApp): DescribedDeletedApp {
  return {
    slug,
    createdAt: isoTime(createdAt),
    deletedAt: isoTime(deletedAt),
    restorableUntil: isoTime(restorableUntil),
  }
}
