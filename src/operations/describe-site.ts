import type { AppRecord } from '../storage/store.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedSiteDomain, describeSiteDomain } from './describe-site-domain.ts'
import { describeSiteKey, type SiteKey } from './describe-site-key.ts'
import type { AppInput } from './open-app.ts'
import { siteUrl } from './site-url.ts'

export interface DescribedSite {
  /** Where it is; null where it can't be below the sites' domain. */
  readonly url: string | null
  /** The version that is served. */
  readonly live: number | null
  /** How many versions are kept. */
  readonly kept: number
  /** Whether each version has an address of its own. */
  readonly previews: boolean
  /** What a version may have at most: files, bytes of one of them, bytes in all. */
  readonly limits: { readonly files: number; readonly fileBytes: number; readonly bytes: number }
  /** What its pages ask the API with, and everybody has who reads them. */
  readonly key: SiteKey | null
  /** That it has, or is to have, beside that address. */
  readonly domains: readonly DescribedSiteDomain[]
  /** Why it has no address. */
  readonly problem: SiteProblem | null
}

export interface SiteProblem {
  readonly code: 'site_unavailable'
  readonly message: string
}

/**
 * What an app's site is; who has a part in the app may see it.
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function describeSite(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'siteProblem' | 'limits'>,
  caller: Caller,
  { app: slug }: AppInput,
): Promise<DescribedSite> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  return describeSiteOf(context, app)
}

/** The same for whoever was let at the app. */
export async function describeSiteOf(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'siteProblem' | 'limits'>,
  { id, slug }: Pick<AppRecord, 'id' | 'slug'>,
): Promise<DescribedSite> {
  const { siteFiles, siteFileBytes, siteBytes } = context.limits
  return {
    url: siteUrl(context, slug),
    key: await describeSiteKey(context, { slug }),
    ...(await context.accounts.findSite(id)),
    domains: (await context.accounts.listSiteDomains(id)).map(describeSiteDomain),
    previews: context.sites.domain !== undefined,
    limits: { files: siteFiles, fileBytes: siteFileBytes, bytes: siteBytes },
    problem: describeSiteProblem(context, slug),
  }
}

/** Why the site of an app has no address below the sites' domain; null where it has one. */
export function describeSiteProblem(
  { siteProblem }: Pick<AccountsContext, 'siteProblem'>,
  slug: string,
): SiteProblem | null {
  const problem = siteProblem(slug)
  if (problem === undefined) return null
  const message = `no site can be at this address: ${problem}; give it a domain of its own`
  return { code: 'site_unavailable', message }
}
