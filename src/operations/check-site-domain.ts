import { AppError } from '../errors.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { newDomainToken, type SiteDomainInput } from './create-site-domain.ts'
import { type DescribedSiteDomain, describeSiteDomain } from './describe-site-domain.ts'
import { findSiteDomain } from './find-site-domain.ts'

/**
 * Looks at a domain for what has to be there, and serves the site there from then on; that is the app's owner's to ask for.
 * One that is verified for this app stays so; from another app it is taken where the record is there, and not for a file: that
 * may come from the site of the other app.
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
  const look = await context.siteDomains.prove(domain, token)
  if ('problem' in look)
    throw new AppError('domain_unverified', `${look.problem}; a new record may take minutes to be seen`)
  const verified = { app, domain, token, isByRecord: look.found === 'record', nextToken: newDomainToken() }
  return describeSiteDomain(await context.accounts.verifySiteDomain(verified, actorOf(caller, app.id)))
}
