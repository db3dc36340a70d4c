import { hostName, reservedSlug } from '../domain/site-hosts.ts'
import { PreviewFinder } from '../sites/preview-finder.ts'
import type { Directory, SiteRecord } from '../storage/directory.ts'

/** Which hosts are for sites, and which are the server's own. */
export interface HostNames {
  /** Below which sites are; undefined where they have domains of their own alone. */
  readonly domain: string | undefined
  /** Hosts by which the API and the dashboard are reached, in the form of `hostName`. */
  readonly ownHosts: ReadonlySet<string>
}

/** What a host that is not the server's own is for. */
export interface FoundSite {
  /** Undefined where the host is no site's. */
  readonly site?: SiteRecord
  /** Undefined where nothing is live. */
  readonly version?: number
  readonly isPreview: boolean
}

/** Hosts that are remembered for as long as no app and no site changes; there are as many as there are sites in use. */
const REMEMBERED = 1000
/** A name has at most 253 characters, and a port 5. */
const AUTHORITY_LENGTH = 300
const NOTHING: FoundSite = Object.freeze({ isPreview: false })
/**
 * Finds what a host is for, by nothing but its name. What is below the sites' domain is never the server's own, so that
 * no site's page is of the same origin as the API or the dashboard.
 */
export class SiteFinder<Answer> {
  private readonly names: HostNames
  private readonly answerOf: (found: FoundSite) => Answer
  private directory: Directory | undefined
  private readonly remembered = new Map<string, Answer | undefined>()
  /** Most requests are for the host of the one before, and to compare two texts is quicker than to look one up. */
  private latest: { readonly authority: string; readonly answer: Answer | undefined } | undefined
  private byDomain: ReadonlyMap<string, SiteRecord> = new Map()
  private readonly previews = new PreviewFinder()

  /** @param answerOf makes what is answered for a host, and remembered with it */
  constructor(names: HostNames, answerOf: (found: FoundSite) => Answer) {
    this.names = names
    this.answerOf = answerOf
  }

  /** Undefined where the host is the server's own. @param authority a host and its port */
  find(directory: Directory, authority: string): Answer | undefined {
    if (directory !== this.directory) this.use(directory)
    if (authority !== this.latest?.authority)
      this.latest = { authority, answer: this.recall(directory, authority) }
    return this.latest.answer
  }

  private recall(directory: Directory, authority: string): Answer | undefined {
    const known = this.remembered.get(authority)
    if (known !== undefined || this.remembered.has(authority)) return known
    const found = this.lookUp(directory, hostName(authority))
    const answer = found && this.answerOf(found)
    if (this.remembered.size >= REMEMBERED) this.remembered.clear()
    if (authority.length <= AUTHORITY_LENGTH) this.remembered.set(authority, answer)
    return answer
  }

  private use(directory: Directory): void {
    this.directory = directory
    this.remembered.clear()
    this.latest = undefined
    const byDomain = new Map<string, SiteRecord>()
    for (const site of directory.sites.values()) for (const domain of site.domains) byDomain.set(domain, site)
    this.byDomain = byDomain
  }

  private lookUp(directory: Directory, host: string): FoundSite | undefined {
    const { domain, ownHosts } = this.names
    if (ownHosts.has(host)) return undefined
    if (domain !== undefined && host.endsWith(`.${domain}`))
      return this.below(directory, { host, domain }) ?? NOTHING
    const site = this.byDomain.get(host)
    return site && liveOf(site)
  }

  private below(
    { sites }: Directory,
    { host, domain }: { readonly host: string; readonly domain: string },
  ): FoundSite | undefined {
    const { ownHosts } = this.names
    const label = host.slice(0, -domain.length - 1)
    const preview = this.previews.find(sites, { label, domain })
    if (preview !== undefined) return { ...preview, isPreview: true }
    // Among those that are reserved is every label of a preview.
    const site = sites.get(label)
    const isReserved = reservedSlug(label, { domain, ownHosts }) !== undefined
    return site === undefined || site.manifests.size === 0 || isReserved ? undefined : liveOf(site)
  }
}

function liveOf(site: SiteRecord): FoundSite {
  return site.live === null ? { site, isPreview: false } : { site, version: site.live, isPreview: false }
}
