import { randomBytes } from 'node:crypto'
import { publicName } from '../domain/site-domain.ts'
import { AppError } from '../errors.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { type DescribedSiteDomain, describeSiteDomain } from './describe-site-domain.ts'
import type { AppInput } from './open-app.ts'

export interface SiteDomainInput extends AppInput {
  /** A full DNS name, in any letter case and script. */
  readonly domain: string
}

const TOKEN_BYTES = 20

/** What has to be found at a domain. */
export function newDomainToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex')
}

/**
 * Lets an app's site have a domain, when it is shown to be its owner's; that is the app's owner's to do.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_domain`, `too_many_domains`
 */
export async function createSiteDomain(
  context: Pick<AccountsContext, 'accounts' | 'siteDomains'>,
  caller: Caller,
  { app: slug, domain: text }: SiteDomainInput,
): Promise<DescribedSiteDomain> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  const domain = siteDomainFrom(text)
  const problem = context.siteDomains.problem(domain)
  if (problem !== undefined)
    throw new AppError('invalid_domain', `${domain} ${problem}; take a domain of your own`)
  const token = newDomainToken()
  return describeSiteDomain(
    await context.accounts.createSiteDomain({ app, domain, token }, actorOf(caller, app.id)),
  )
}

/** @throws AppError `invalid_domain` */
function siteDomainFrom(text: string): string {
  const domain = publicName(text.trim().replace(/\.$/, ''))
  if (domain !== undefined) return domain
  throw new AppError(
    'invalid_domain',
    `${JSON.stringify(text)} is no domain that a site can have; give a full name such as shop.example.org, no URL, no ` +
      'address, no wildcard',
  )
}
