import type { AppRecord } from '../storage/store.ts'
import type { AccountsContext } from './context.ts'
import { type AppKey, describeWithSite } from './describe-app-keys.ts'

/** The key of a site with its secret, which whoever reads the site has. */
export type SiteKey = AppKey & { readonly key: string }

/** Null where the app's site has none. */
export async function describeSiteKey(
  { accounts, sites: addresses }: Pick<AccountsContext, 'accounts' | 'sites'>,
  { slug }: Pick<AppRecord, 'slug'>,
): Promise<SiteKey | null> {
  const { sites, keysById } = await accounts.readDirectory()
  const site = sites.get(slug)
  const record = keysById.get(site?.key?.id ?? '')
  if (record === undefined) return null
  return { ...describeWithSite(record, site, addresses), key: site!.key!.secret }
}
