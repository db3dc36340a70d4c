import { previewHost, previewLabel, siteHost } from '../domain/site-hosts.ts'
import type { Directory, SiteRecord } from '../storage/store.ts'

/** Of a host that a slug was cut for (RFC 1035, section 2.3.4). */
const LABEL_LENGTH = 63

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

/** The origin of the site of which there is a preview at this one, of a version that is kept; undefined for all others. */
export function siteOfPreview(
  origin: string,
  { sites }: Pick<Directory, 'sites'>,
  { domain, urlOf }: SiteAddresses,
): string | undefined {
  const host = URL.parse(origin)?.hostname
  if (domain === undefined || host === undefined || !host.endsWith(`.${domain}`)) return undefined
  const label = host.slice(0, -domain.length - 1)
  const preview = previewLabel(label)
  if (preview === undefined || urlOf(host) !== origin.toLowerCase()) return undefined
  const { version, rest } = preview
  const isOf = ({ slug, manifests }: SiteRecord): boolean =>
    manifests.has(version) && previewHost(slug, version, domain) === host
  const named = sites.get(rest)
  // A slug that was cut is not in the host.
  const mayBeCut = label.length === LABEL_LENGTH
  const site = named !== undefined && isOf(named) ? named : mayBeCut ? sites.values().find(isOf) : undefined
  return site && urlOf(siteHost(site.slug, domain))
}
