import type { AppAddress } from './account-changes.ts'
import type { Actor } from './account-store.ts'

/** A domain that a site is to be reached by, beside its own host. */
export interface SiteDomain {
  readonly domain: string
  /** What has to be found at the domain. */
  readonly token: string
  /** Milliseconds since the Unix epoch, here and below. */
  readonly createdAt: number
  /** When it was found there; null until then. */
  readonly verifiedAt: number | null
}

/** Domains of sites. Many apps may wait for one; it is one app's alone from when it was verified, until another one verifies it. */
export interface SiteDomainStore {
  /** In the order of their names. @param app by its id */
  listSiteDomains(app: string): Promise<SiteDomain[]>
  /** Answers with the one that is there where there is one. @throws AppError `app_not_found`, `too_many_domains` */
  createSiteDomain(
    domain: { readonly app: AppAddress; readonly domain: string; readonly token: string },
    actor: Actor,
  ): Promise<SiteDomain>
  /**
   * Serves the site there from now on. The app that had it waits for it with another token, for what it has shown once may
   * be there still.
   * @throws AppError `app_not_found`, `domain_not_found`, `domain_taken` where another app that is there has it, and no record
   * was found
   */
  verifySiteDomain(
    domain: {
      readonly app: AppAddress
      readonly domain: string
      readonly token: string
      readonly isByRecord: boolean
      /** For the app that loses it. */
      readonly nextToken: string
    },
    actor: Actor,
  ): Promise<SiteDomain>
  /** @throws AppError `app_not_found`, `domain_not_found` */
  deleteSiteDomain(domain: { readonly app: AppAddress; readonly domain: string }, actor: Actor): Promise<void>
}
