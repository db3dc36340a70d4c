import type { AccountApp } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'
import { type AppKey, describeAppKey } from './describe-app-keys.ts'

/** The key of a site with its secret, which whoever reads the site has. */
export type SiteKey = AppKey & { readonly key: string }

/** Null where the app's site has none. */
export async function describeSiteKey(
  context: Pick<AccountsContext, 'accounts' | 'sites'>,
  found: AccountApp,
): Promise<SiteKey | null> {
  const { sites, keysById } = await context.accounts.readDirectory()
  const published = sites.get(found.app.slug)?.key
  const record = keysById.get(published?.id ?? '')
  if (record === undefined) return null
  return { ...(await describeAppKey(context, found, record)), key: published!.secret }
}
