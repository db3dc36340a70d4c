import { AppError } from '../errors.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedSite, describeSiteOf } from './describe-site.ts'
import type { AppInput } from './open-app.ts'

const MOST_KEPT = 100

/**
 * Changes how many versions of a site are kept; that is its app's owner's to do. The oldest of too many go at once.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_request`
 */
export async function updateSite(
  context: Pick<AccountsContext, 'accounts' | 'siteFiles' | 'sites' | 'siteProblem' | 'limits'>,
  caller: Caller,
  { app: slug, kept }: AppInput & { readonly kept: number | null },
): Promise<DescribedSite> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  if (kept === null || kept < 1 || kept > MOST_KEPT)
    throw new AppError('invalid_request', `the field kept takes a whole number from 1 to ${MOST_KEPT}`)
  const { trimmed } = await context.accounts.setKept({ app, kept }, actorOf(caller))
  if (trimmed > 0) context.siteFiles.collect(app.id)
  return describeSiteOf(context, app)
}
