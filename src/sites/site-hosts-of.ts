import { previewHost, previewLabel, siteHost } from '../domain/site-hosts.ts'
import type { Directory, SiteRecord } from '../storage/directory.ts'

type Sites = Pick<Directory, 'sites'>

/** Whether a host, in the form of `hostName`, is that of a site, of a version that is kept, or a domain of a site. */
export function createIsSiteHost(domain: string | undefined): (directory: Sites, host: string) => boolean {
  const ending = domain === undefined ? undefined : `.${domain}`
  let known: { directory: Sites; domains: ReadonlySet<string> } | undefined
  const isOwnDomain = (directory: Sites, host: string): boolean => {
    if (known?.directory !== directory)
      known = { directory, domains: new Set([...directory.sites.values()].flatMap((site) => site.domains)) }
    return known.domains.has(host)
  }
  return (directory, host) => {
    if (ending === undefined || !host.endsWith(ending)) return isOwnDomain(directory, host)
    const label = host.slice(0, -ending.length)
    const preview = previewLabel(label)
    if (preview === undefined) return (directory.sites.get(label)?.manifests.size ?? 0) > 0
    const isOf = ({ slug, manifests }: SiteRecord): boolean =>
      manifests.has(preview.version) && previewHost(slug, preview.version, domain!) === host
    const named = directory.sites.get(preview.rest)
    // A slug that was cut is not in the host.
    return named === undefined ? directory.sites.values().some(isOf) : isOf(named)
  }
}

/** All of those hosts. */
export function* siteHostsOf({ sites }: Sites, domain: string | undefined): Generator<string> {
  for (const { slug, manifests, domains } of sites.values()) {
    yield* domains
    if (domain === undefined || manifests.size === 0) continue
    yield siteHost(slug, domain)
    for (const version of manifests.keys()) yield previewHost(slug, version, domain)
  }
}
