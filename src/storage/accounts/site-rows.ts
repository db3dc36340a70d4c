import type { AppRecord, SiteRecord } from '../directory.ts'
import { storedTime } from './stored-times.ts'

export const SITES_SELECT = 'SELECT app, live, key_id, key FROM sites'
export const DEPLOYS_SELECT = 'SELECT app, version, manifest FROM deploys ORDER BY version DESC'
export const DOMAINS_SELECT =
  'SELECT app, domain FROM site_domains WHERE verified_at IS NOT NULL ORDER BY domain'

type SiteRow = [app: string, live: bigint | null, keyId: string | null, key: string | null]
type DeployRow = [app: string, version: bigint, manifest: string]
type DomainRow = [app: string, domain: string]

export interface SiteRows {
  readonly sites: SiteRow[]
  readonly deploys: DeployRow[]
  readonly domains: DomainRow[]
}

const MANIFEST = /^[0-9a-f]{64}$/

/** Sites of the apps that are there. What can't be read of one is not served. */
export function sitesFrom(
  { sites, deploys, domains }: SiteRows,
  apps: ReadonlyMap<string, AppRecord>,
): Map<string, SiteRecord> {
  const slugs = new Map([...apps.values()].map(({ id, slug }) => [id, slug]))
  const deploysOf = Map.groupBy(deploys.filter(isWhole), ([app]) => app)
  const domainsOf = Map.groupBy(domains, ([app]) => app)
  const records = sites.map(([app, live, keyId, key]): SiteRecord => {
    const manifests = new Map(deploysOf.get(app)?.map(([, version, manifest]) => [Number(version), manifest]))
    const version = live === null ? undefined : storedTime(live)
    return {
      app,
      slug: slugs.get(app) ?? '',
      live: version !== undefined && manifests.has(version) ? version : null,
      manifests,
      key: keyId === null || key === null ? null : { id: keyId, secret: key },
      domains: (domainsOf.get(app) ?? []).map(([, domain]) => domain),
    }
  })
  return new Map(records.filter(({ slug }) => slug !== '').map((site) => [site.slug, site]))
}

function isWhole([, version, manifest]: DeployRow): boolean {
  return storedTime(version) !== undefined && MANIFEST.test(manifest)
}
