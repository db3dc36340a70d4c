import { previewHost, siteHost } from '../domain/site-hosts.ts'
import type { Directory } from '../storage/directory.ts'

/** The hosts of all sites: their own, those of versions that are kept, and the domains of each. */
export function* siteHostsOf(
  { sites }: Pick<Directory, 'sites'>,
  domain: string | undefined,
): Generator<string> {
  for (const { slug, manifests, domains } of sites.values()) {
    yield* domains
    if (domain === undefined || manifests.size === 0) continue
    yield siteHost(slug, domain)
    for (const version of manifests.keys()) yield previewHost(slug, version, domain)
  }
}
