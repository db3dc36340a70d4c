import type { AccountApp } from '../storage/account-records.ts'
import type { KeyRecord, SiteRecord } from '../storage/store.ts'
import type { AccountsContext } from './context.ts'
import { type DescribedKey, describeKey } from './describe-key.ts'
import { type SiteAddresses, siteOrigins } from './site-origins.ts'

/** A key as it is shown with an app, where it is named by its id. */
export type AppKey = { readonly id: string } & DescribedKey

/** Describes keys of an app. */
export async function describeAppKeys(
  { accounts, sites }: Pick<AccountsContext, 'accounts' | 'sites'>,
  { app }: AccountApp,
  keys: readonly KeyRecord[],
): Promise<AppKey[]> {
  const isAny = keys.some(({ isSiteKey }) => isSiteKey)
  const site = isAny ? (await accounts.readDirectory()).sites.get(app.slug) : undefined
  return keys.map((key) => describeWithSite(key, site, sites))
}

export async function describeAppKey(
  context: Pick<AccountsContext, 'accounts' | 'sites'>,
  found: AccountApp,
  key: KeyRecord,
): Promise<AppKey> {
  const [described] = await describeAppKeys(context, found, [key])
  return described!
}

/** A site's key is good on pages of where the site is, whatever its rules say. */
export function describeWithSite(
  key: KeyRecord,
  site: SiteRecord | undefined,
  addresses: SiteAddresses,
): AppKey {
  const described = { id: key.id, ...describeKey(key) }
  if (site?.key?.id !== key.id || key.damage !== undefined) return described
  return { ...described, websites: siteOrigins(site, addresses) }
}
