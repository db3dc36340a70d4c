import { CUT_FROM, cutDigits, cutDigitsOf, previewHost, previewLabel } from '../domain/site-hosts.ts'
import type { Directory, SiteRecord } from '../storage/directory.ts'

type Sites = Directory['sites']

/** A version that is kept, and whose it is. */
export interface FoundPreview {
  readonly site: SiteRecord
  readonly version: number
}

/** Finds of what a host is the preview, at a cost that does not grow with the number of sites. */
export class PreviewFinder {
  private sites: Sites | undefined
  /** Those whose slug may be cut, by what then stands in its place; that of the oldest app first, so that none made later takes its address. */
  private byDigits: ReadonlyMap<string, readonly SiteRecord[]> = new Map()

  /** Undefined for every other host. @param label of the host, below the sites' domain */
  find(
    sites: Sites,
    { label, domain }: { readonly label: string; readonly domain: string },
  ): FoundPreview | undefined {
    const preview = previewLabel(label)
    if (preview === undefined) return undefined
    const { version, rest } = preview
    const host = `${label}.${domain}`
    const isOf = (site: SiteRecord): boolean => previewHost(site.slug, version, domain) === host
    const named = sites.get(rest)
    const site = named !== undefined && isOf(named) ? named : this.cut(sites, rest).find(isOf)
    return site?.manifests.has(version) ? { site, version } : undefined
  }

  private cut(sites: Sites, rest: string): readonly SiteRecord[] {
    const digits = cutDigits(rest)
    if (digits === undefined) return []
    if (sites !== this.sites) {
      this.sites = sites
      const long = [...sites.values()].filter(({ slug }) => slug.length >= CUT_FROM)
      this.byDigits = Map.groupBy(
        long.sort((a, b) => (a.app < b.app ? -1 : 1)),
        ({ slug }) => cutDigitsOf(slug),
      )
    }
    return this.byDigits.get(digits) ?? []
  }
}
