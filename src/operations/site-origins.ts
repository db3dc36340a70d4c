import { siteHost } from '../domain/site-hosts.ts'
import type { PreviewFinder } from '../sites/preview-finder.ts'
import type { Directory, SiteRecord } from '../storage/store.ts'

/** Where the sites of this server are. */
export interface SiteAddresses {
  /** Below which they are; undefined where there are none but by domains of their own. */
  readonly domain: string | undefined
  /** The origin of one of their hosts, such as `https://todo.example.org`. */
  readonly urlOf: (host: string) => string
}

/** What browsers call the pages of a site that is live: by its own host first, and by each domain of its own. */
export function siteOrigins(
  { slug, domains }: Pick<SiteRecord, 'slug' | 'domains'>,
  { domain, urlOf }: SiteAddresses,
): string[] {
  return [...(domain === undefined ? [] : [siteHost(slug, domain)]), ...domains].map(urlOf)
}

interface PreviewParts {
  readonly addresses: SiteAddresses
  readonly previews: PreviewFinder
}

/** The origin of the site of which there is a preview at this one, of a version that is kept; undefined for all others. */
export function siteOfPreview(
  origin: string,
  { sites }: Pick<Directory, 'sites'>,
  { addresses: { domain, urlOf }, previews }: PreviewParts,
): string | undefined {
  const host = URL.parse(origin)?.hostname
  if (domain === undefined || host === undefined || !host.endsWith(`.${domain}`)) return undefined
  if (urlOf(host) !== origin.toLowerCase()) return undefined
  const site = previews.find(sites, { label: host.slice(0, -domain.length - 1), domain })?.site
  return site && urlOf(siteHost(site.slug, domain))
}
