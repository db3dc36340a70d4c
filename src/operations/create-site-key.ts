import { generateApiKey, hashApiKey } from '../credentials/api-key.ts'
import { UNLIMITED } from '../domain/key-rules.ts'
import { parseKeyRules } from '../domain/key-rules-input.ts'
import { siteKeyPermission } from '../domain/site-key-permission.ts'
import { actorOf, authoriseCaller } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { describeAppKey } from './describe-app-keys.ts'
import type { SiteKey } from './describe-site-key.ts'
import type { AppInput } from './open-app.ts'

export interface NewSiteKeyInput extends AppInput {
  /** Some of `read,create,update,delete` with commas between. */
  readonly permission: string
  /** Those that it may reach; without them every one of the app. */
  readonly collections?: 'all' | readonly string[] | undefined
}

/**
 * Makes a key that is published with an app's site. Whoever reads the site has it, so that what it may do is named, each by
 * itself.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_rule`, `key_exists`, `too_many_keys`
 */
export async function createSiteKey(
  context: Pick<AccountsContext, 'accounts' | 'sites' | 'now'>,
  caller: Caller,
  { app: slug, permission, collections }: NewSiteKeyInput,
): Promise<SiteKey> {
  const found = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  const parsed = {
    ...parseKeyRules({ collections }, { now: context.now() }),
    permission: siteKeyPermission(permission),
  }
  const key = generateApiKey()
  const rules = { ...UNLIMITED, ...parsed }
  const record = await context.accounts.createSiteKey(
    { app: found.app, hash: hashApiKey(key), secret: key, rules },
    actorOf(caller, found.app.id),
  )
  return { ...(await describeAppKey(context, found, record)), key }
}
