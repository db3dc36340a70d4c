import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedSite, describeSiteOf } from './describe-site.ts'
import type { AppInput } from './open-app.ts'

/**
 * Makes a version that is kept live, or none with null; that is the app's editors' to do.
 * @throws AppError `app_not_found`, `permission_denied`, `deploy_not_found`
 */
export async function setLiveDeploy(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'siteProblem' | 'limits'>,
  caller: Caller,
  { app: slug, version }: AppInput & { readonly version: number | null },
): Promise<DescribedSite> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'editor', permission: 'apps' })
  await context.accounts.setLive({ app, version }, actorOf(caller))
  return describeSiteOf(context, app)
}
