import { AppError } from '../errors.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import type { SiteDomainInput } from './create-site-domain.ts'
import { type DescribedSiteDomain, describeSiteDomain } from './describe-site-domain.ts'
import { findSiteDomain } from './find-site-domain.ts'

/**
 * Looks at a domain for what has to be there, and serves the site there from then on; that is the app's owner's to ask for.
 * One that is verified stays so.
 * @throws AppError `app_not_found`, `permission_denied`, `domain_not_found`, `domain_unverified`, `domain_taken`
 */
export async function checkSiteDomain(
  context: Pick<AccountsContext, 'accounts' | 'siteDomains'>,
  caller: Caller,
  { app: slug, domain: name }: SiteDomainInput,
): Promise<DescribedSiteDomain> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  const found = await findSiteDomain(context, { app: app.id, domain: name })
  if (found.verifiedAt !== null) return describeSiteDomain(found)
  const { domain, token } = found
  const problem = await context.siteDomains.prove(domain, token)
  if (problem !== undefined)
    throw new AppError('domain_unverified', `${problem}; a new record may take minutes to be seen`)
  return describeSiteDomain(
    await context.accounts.verifySiteDomain({ app, domain, token }, actorOf(caller, app.id)),
  )
}
