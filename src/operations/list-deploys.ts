import { authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedDeploy, describeDeploys } from './describe-deploys.ts'
import type { AppInput } from './open-app.ts'

/**
 * The versions of a site that are kept, the newest first.
 * @throws AppError `app_not_found`, `permission_denied`
 */
export async function listDeploys(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'siteProblem'>,
  caller: Caller,
  { app: slug }: AppInput,
): Promise<readonly DescribedDeploy[]> {
  const { accounts } = context
  const { app } = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  const [site, deploys] = [await accounts.findSite(app.id), await accounts.listDeploys(app.id)]
  return describeDeploys(context, { slug, site, deploys })
}
