import type { Kysely } from 'kysely'
import type { AppAddress } from '../account-changes.ts'
import type { Actor } from '../account-store.ts'
import type { AppRecord } from '../directory.ts'
import type { DeployRecord, NewDeploy, SiteState, SiteStore, Trimmed } from '../site-store.ts'
import { appAt } from './apps.ts'
import type { AuditedChange } from './audit.ts'
import { KyselySiteDomainStore } from './kysely-site-domain-store.ts'
import * as sites from './sites.ts'
import type { Tables } from './tables.ts'

/** Sites over a query builder, for every database. */
export class KyselySiteStore extends KyselySiteDomainStore implements SiteStore {
  findSite(app: string): Promise<SiteState> {
    return this.log.read((db) => sites.selectSite(db, app))
  }

  listDeploys(app: string): Promise<DeployRecord[]> {
    return this.log.read((db) => sites.selectDeploys(db, app))
  }

  findDeploy({ app, version }: { readonly app: string; readonly version: number }): Promise<DeployRecord> {
    return this.log.read((db) => sites.requireDeploy(db, app, version))
  }

  insertDeploy(
    { app: address, ...deploy }: NewDeploy,
    actor: Actor,
  ): Promise<{ readonly deploy: DeployRecord } & Trimmed> {
    return this.changeSite(address, actor, async (db, app) => {
      const made = await sites.insertDeploy(db, { ...deploy, app: app.id }, this.now())
      const trimmed = await sites.trimDeploys(db, app.id, made.version)
      const { version, message, files, bytes } = made
      const details = { version, live: deploy.isLive, message, files, bytes }
      return { result: { deploy: made, trimmed }, action: 'deploy.create', details }
    })
  }

  setLive(
    { app: address, version }: { readonly app: AppAddress; readonly version: number | null },
    actor: Actor,
  ): Promise<void> {
    return this.changeSite(address, actor, async (db, { id }) => {
      if (version !== null) await sites.requireDeploy(db, id, version)
      const { live: before } = await sites.selectSite(db, id)
      await sites.updateLive(db, id, version)
      return { result: undefined, action: 'deploy.live', details: { version, before } }
    })
  }

  deleteDeploy(
    { app: address, version }: { readonly app: AppAddress; readonly version: number },
    actor: Actor,
  ): Promise<void> {
    return this.changeSite(address, actor, async (db, { id }) => {
      await sites.deleteDeploy(db, id, version)
      return { result: undefined, action: 'deploy.delete', details: { version } }
    })
  }

  setKept(
    { app: address, kept }: { readonly app: AppAddress; readonly kept: number },
    actor: Actor,
  ): Promise<Trimmed> {
    return this.changeSite(address, actor, async (db, { id }) => {
      await sites.updateKept(db, id, kept)
      const trimmed = await sites.trimDeploys(db, id)
      return { result: { trimmed }, action: 'site.update', details: { kept, trimmed } }
    })
  }

  private changeSite<Result>(
    address: AppAddress,
    actor: Actor,
    make: (
      db: Kysely<Tables>,
      app: AppRecord,
    ) => Promise<{ readonly result: Result } & Pick<AuditedChange, 'action' | 'details'>>,
  ): Promise<Result> {
    return this.log.change(actor, async (db) => {
      const app = await appAt(db, address)
      return { ...(await make(db, app)), subject: app.slug, app: app.id, isOfDirectory: true }
    })
  }
}
