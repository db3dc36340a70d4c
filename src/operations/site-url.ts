import { previewHost, siteHost } from '../domain/site-hosts.ts'
import type { AccountsContext } from './context.ts'

/**
 * Where an app's site is below the sites' domain, or one version of it, which also has an address where the site can't be
 * there; null where there is none.
 */
export function siteUrl(
  { sites, siteProblem }: Pick<AccountsContext, 'sites' | 'siteProblem'>,
  slug: string,
  version?: number,
): string | null {
  const { domain, urlOf } = sites
  if (domain === undefined) return null
  if (version !== undefined) return urlOf(previewHost(slug, version, domain))
  return siteProblem(slug) === undefined ? urlOf(siteHost(slug, domain)) : null
}
