import type { AppAddress } from '../account-changes.ts'
import type { Actor } from '../account-store.ts'
import type { SiteDomain, SiteDomainStore } from '../site-domain-store.ts'
import { appAt } from './apps.ts'
import * as domains from './site-domains.ts'
import { KyselySiteKeyStore } from './site-key-store.ts'

interface DomainAddress {
  readonly app: AppAddress
  readonly domain: string
}

type VerifiedDomain = Parameters<SiteDomainStore['verifySiteDomain']>[0]

/** Domains of sites over a query builder, for every database. */
export class KyselySiteDomainStore extends KyselySiteKeyStore implements SiteDomainStore {
  listSiteDomains(app: string): Promise<SiteDomain[]> {
    return this.log.read((db) => domains.selectDomains(db, app))
  }

  createSiteDomain(
    { app: address, domain, token }: DomainAddress & { readonly token: string },
    actor: Actor,
  ): Promise<SiteDomain> {
    return this.log.change(actor, async (db) => {
      const { id: app, slug } = await appAt(db, address)
      const known = (await domains.selectDomains(db, app)).some((each) => each.domain === domain)
      if (!known) await domains.insertDomain(db, { app, domain, token }, this.now())
      const result = await domains.requireDomain(db, { app, domain })
      return { result, action: 'domain.create', subject: slug, app, details: { domain } }
    })
  }

  verifySiteDomain(
    { app: address, domain, token, isByRecord, nextToken }: VerifiedDomain,
    actor: Actor,
  ): Promise<SiteDomain> {
    return this.log.change(actor, async (db) => {
      const { id: app, slug } = await appAt(db, address)
      // Removed and made anew meanwhile, it has another token, which was not looked for.
      const known = await domains.requireDomain(db, { app, domain })
      if (known.token !== token) throw domains.noDomain(domain)
      const holder = await domains.selectHolder(db, { app, domain })
      if (holder !== undefined) {
        if (!holder.isDeleted && !isByRecord) throw domains.takenDomain(domain)
        await domains.takeVerified(db, { app: holder.app, domain, token: nextToken })
        // Who has it now is nothing that the other app's people are told.
        const lost = { action: 'domain.lose', subject: holder.slug, app: holder.app, details: { domain } }
        await this.log.note(db, lost, 'server')
      }
      await domains.updateVerified(db, { app, domain }, this.now())
      const result = await domains.requireDomain(db, { app, domain })
      const line = { action: 'domain.verify', subject: slug, app, details: { domain } }
      return { result, ...line, isOfDirectory: true }
    })
  }

  deleteSiteDomain({ app: address, domain }: DomainAddress, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { id: app, slug } = await appAt(db, address)
      await domains.requireDomain(db, { app, domain })
      await domains.deleteDomain(db, { app, domain })
      const line = { action: 'domain.delete', subject: slug, app, details: { domain } }
      return { result: undefined, ...line, isOfDirectory: true }
    })
  }
}
