import type { OwnQuota, Quota } from '../../domain/quota.ts'
import type { Actor } from '../account-store.ts'
import type { AccountQuota, OwnedCounts, QuotaStore } from '../quota-store.ts'
import { requireAccount } from './accounts.ts'
import { KyselySiteStore } from './kysely-site-store.ts'
import * as quotas from './quotas.ts'

/** What accounts may have, over a query builder, for every database. */
export class KyselyQuotaStore extends KyselySiteStore implements QuotaStore {
  findDefaultQuota(): Promise<Quota> {
    return this.log.read(quotas.selectDefaultQuota)
  }

  putDefaultQuota(quota: Quota, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      await quotas.upsertDefaultQuota(db, quota)
      const line = { action: 'server.quota', subject: 'server', details: quota }
      return { result: undefined, ...line, isOfDirectory: true }
    })
  }

  findQuota(account: string): Promise<AccountQuota> {
    return this.log.read(async (db) => {
      await requireAccount(db, account)
      return quotas.selectQuota(db, account)
    })
  }

  putQuota(
    { account, quota }: { readonly account: string; readonly quota: OwnQuota | null },
    actor: Actor,
  ): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { email } = await requireAccount(db, account)
      await quotas.writeQuota(db, { account, quota })
      const details = quota ?? { default: true }
      return { result: undefined, action: 'account.quota', subject: email, details, isOfDirectory: true }
    })
  }

  countOwned(owner: string | null): Promise<OwnedCounts> {
    return this.log.snapshot((db) => quotas.countOwned(db, owner))
  }
}
