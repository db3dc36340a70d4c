import type { DeployRecord, SiteState } from '../storage/site-store.ts'
import type { AccountsContext } from './context.ts'
import { siteUrl } from './site-url.ts'

export interface DescribedDeploy extends Omit<DeployRecord, 'manifest'> {
  readonly isLive: boolean
  /** Where this version is for itself; null where it has no address. */
  readonly url: string | null
}

/** Versions as those see them who have a part in the app. @param slug the app's */
export function describeDeploys(
  context: Pick<AccountsContext, 'sites' | 'siteProblem'>,
  { slug, site, deploys }: { slug: string; site: SiteState; deploys: readonly DeployRecord[] },
): DescribedDeploy[] {
  return deploys.map(({ manifest: _, ...deploy }) => ({
    ...deploy,
    isLive: deploy.version === site.live,
    url: siteUrl(context, slug, deploy.version),
  }))
}
