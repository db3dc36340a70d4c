import { type DomainProof, proofOf } from '../sites/prove-domain.ts'
import type { SiteDomain } from '../storage/site-domain-store.ts'

/** A domain of a site, with what has to be found there: the record, or the file. */
export interface DescribedSiteDomain extends DomainProof {
  readonly domain: string
  readonly state: 'waiting' | 'verified'
}

export function describeSiteDomain({ domain, token, verifiedAt }: SiteDomain): DescribedSiteDomain {
  return { domain, state: verifiedAt === null ? 'waiting' : 'verified', ...proofOf(domain, token) }
}
