import type { ProveDomain } from './prove-domain.ts'

/** What is known of domains that sites may have beside their own hosts. */
export interface SiteDomains {
  /** Why a name, in the form of `publicName`, can't be one, in words that go behind it; undefined where it can. */
  problem(domain: string): string | undefined
  readonly prove: ProveDomain
}
