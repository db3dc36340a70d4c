import { publicName } from '../domain/site-domain.ts'
import { AppError } from '../errors.ts'
import type { SiteDomain } from '../storage/site-domain-store.ts'
import type { AccountsContext } from './context.ts'

/** @param where the app by its id, the domain as anybody writes it @throws AppError `domain_not_found` */
export async function findSiteDomain(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  where: { readonly app: string; readonly domain: string },
): Promise<SiteDomain> {
  const domain = publicName(where.domain)
  const found = (await accounts.listSiteDomains(where.app)).find((each) => each.domain === domain)
  if (found !== undefined) return found
  throw new AppError('domain_not_found', 'the site has no such domain')
}
