import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { DeployInput } from './describe-deploy.ts'

/**
 * Lets go of a version of a site, and of the files that no other version has; that is the app's editors' to do.
 * @throws AppError `app_not_found`, `permission_denied`, `deploy_not_found`, `deploy_live`
 */
export async function deleteDeploy(
  context: Pick<AccountsContext, 'accounts' | 'siteFiles'>,
  caller: Caller,
  { app: slug, version }: DeployInput,
): Promise<void> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  await context.accounts.deleteDeploy({ app, version }, actorOf(caller))
  context.siteFiles.collect(app.id)
}
