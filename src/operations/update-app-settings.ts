import { type AppSettings, NO_SETTINGS } from '../domain/app-settings.ts'
import { readAppSettings } from '../domain/read-app-settings.ts'
import type { AppRecord } from '../storage/store.ts'
import { actorOf, authoriseCaller, requireRecentPassword } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedAppSettings, describeSettingsOf } from './get-app-settings.ts'
import type { AppInput } from './open-app.ts'

export interface AppSettingsUpdate extends AppInput {
  /** What is left out stays. */
  readonly settings: { readonly [Setting in keyof AppSettings]?: unknown }
}

/**
 * Changes what holds for all keys of an app; that is its owner's to do. Where it would let in what was shut out, the password
 * has to be given anew.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_rule`, `password_required`
 */
export async function updateAppSettings(
  context: Pick<AccountsContext, 'accounts' | 'limits' | 'now'>,
  caller: AccountCaller,
  { app: slug, settings }: AppSettingsUpdate,
): Promise<DescribedAppSettings> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  const changed = readAppSettings(settings)
  if (opensMore(app, changed)) requireRecentPassword(context, caller)
  const updated = await context.accounts.updateAppSettings({ app, settings: changed }, actorOf(caller))
  return describeSettingsOf(context, caller, updated)
}

/** What can't be read shut everything out. */
function opensMore({ settings = NO_SETTINGS, damage }: AppRecord, changed: Partial<AppSettings>): boolean {
  const { addresses, websites, localhost, rate } = { ...settings, ...changed }
  return (
    damage !== undefined ||
    isWider(settings.addresses, addresses) ||
    isWider(settings.websites, websites) ||
    (localhost && !settings.localhost) ||
    isFaster(settings.rate, rate)
  )
}

function isWider(before: AppSettings['addresses'], after: AppSettings['addresses']): boolean {
  if (before === 'all') return false
  return after === 'all' || after.some((each) => !before.includes(each))
}

function isFaster(before: AppSettings['rate'], after: AppSettings['rate']): boolean {
  if (before === null) return false
  return (
    after === null ||
    after.requests > before.requests ||
    after.requests / after.perMs > before.requests / before.perMs
  )
}
