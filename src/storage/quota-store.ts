import type { OwnQuota, Quota } from '../domain/quota.ts'
import type { Actor } from './account-store.ts'

/** What an account may have, and what sets that. */
export interface AccountQuota {
  /** What is set for it alone; null where nothing is. */
  readonly own: OwnQuota | null
  /** What holds for it. */
  readonly limits: Quota
}

/** What an account has of what is counted by rows: apps that can be restored among them. */
export interface OwnedCounts {
  readonly apps: number
  readonly keys: number
}

/** What accounts may have. What is set holds for what is made from then on; nothing that is there goes. */
export interface QuotaStore {
  /** For all accounts that have none of their own. */
  findDefaultQuota(): Promise<Quota>
  putDefaultQuota(quota: Quota, actor: Actor): Promise<void>
  /** @throws AppError `account_not_found` */
  findQuota(account: string): Promise<AccountQuota>
  /** Null gives it what all have. @throws AppError `account_not_found` */
  putQuota(change: { readonly account: string; readonly quota: OwnQuota | null }, actor: Actor): Promise<void>
  /** @param owner an account by its id; null for what has none */
  countOwned(owner: string | null): Promise<OwnedCounts>
}
