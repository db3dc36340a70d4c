import { NO_SETTINGS } from '../domain/app-settings.ts'
import { readAppSettings } from '../domain/read-app-settings.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type DescribedAppSettings, describeSettingsOf } from './get-app-settings.ts'
import type { AppSettingsUpdate } from './update-app-settings.ts'

/**
 * How the settings of an app would be told if these were changed, or what is wrong with them. Nothing is.
 * @throws AppError `app_not_found`, `permission_denied`, `invalid_rule`
 */
export async function summariseAppSettings(
  context: Pick<AccountsContext, 'accounts' | 'limits'>,
  caller: AccountCaller,
  { app: slug, settings }: AppSettingsUpdate,
): Promise<DescribedAppSettings> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'owner', permission: 'apps' })
  const merged = { ...NO_SETTINGS, ...app.settings, ...readAppSettings(settings) }
  return describeSettingsOf(context, caller, { ...app, settings: merged })
}
