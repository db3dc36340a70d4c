import { fileType } from '../sites/file-type.ts'
import type { SiteSettings } from '../sites/site-settings.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedDeploy, describeDeploys } from './describe-deploys.ts'
import type { AppInput } from './open-app.ts'

export interface DeployInput extends AppInput {
  readonly version: number
}

export interface DeployContents extends DescribedDeploy {
  readonly list: readonly {
    readonly path: string
    readonly bytes: number
    readonly hash: string
    /** As it is served. */
    readonly type: string
  }[]
  /** Of its `sheaf.json`. */
  readonly settings: SiteSettings
}

/**
 * A version of a site with its files.
 * @throws AppError `app_not_found`, `permission_denied`, `deploy_not_found`, `store_unavailable`
 */
export async function describeDeploy(
  context: Pick<AccountsContext, 'accounts' | 'siteFiles' | 'sites' | 'siteProblem'>,
  caller: Caller,
  { app: slug, version }: DeployInput,
): Promise<DeployContents> {
  const { accounts, siteFiles } = context
  const { app } = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  const deploy = await accounts.findDeploy({ app: app.id, version })
  const site = await accounts.findSite(app.id)
  const { files, settings } = await siteFiles.readManifest(app.id, deploy.manifest)
  const list = [...files].map(([path, { bytes, hash }]) => ({ path, bytes, hash, type: fileType(path) }))
  const [described] = describeDeploys(context, { slug, site, deploys: [deploy] })
  return { ...described!, list, settings }
}
