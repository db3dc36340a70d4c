import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { SiteDomainInput } from './create-site-domain.ts'
import { findSiteDomain } from './find-site-domain.ts'

/**
 * Takes a domain from an app's site, which is served there no more; that is the app's owner's to do.
 * @throws AppError `app_not_found`, `permission_denied`, `domain_not_found`
 */
export async function deleteSiteDomain(
  context: Pick<AccountsContext, 'accounts'>,
  caller: Caller,
  { app: slug, domain: name }: SiteDomainInput,
): Promise<void> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  const { domain } = await findSiteDomain(context, { app: app.id, domain: name })
  await context.accounts.deleteSiteDomain({ app, domain }, actorOf(caller, app.id))
}
