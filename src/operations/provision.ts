import type { AccountStore } from '../storage/account-store.ts'
import { createApp } from './create-app.ts'
import { createKey } from './create-key.ts'

const SETTING = 'provisioned'
const FIRST_APP = 'demo'
const FIRST_KEY = 'default'

export interface FirstStart {
  readonly appSlug: string
  readonly apiKey: string
}

/** Whether there was a first start. */
export function isProvisioned(settings: { setting(name: string): string | undefined }): boolean {
  return settings.setting(SETTING) !== undefined
}

/**
 * Gives a new data folder an app and a key to begin with, once in its life: a key that was revoked never comes
 * back. What the command line made after a first start that was killed half-way is used and not added to. Call it only
 * once the server listens, for a start that fails would lose the key.
 * @param show is given the key before there is one; where it throws, nothing is made, and the next start begins anew
 */
export async function provision(
  control: AccountStore,
  { now = Date.now, show }: { now?: () => number; show: (first: FirstStart) => void },
): Promise<void> {
  const account = { control, actor: 'start', owner: null, now }
  if ((await control.setting(SETTING)) !== undefined) return
  const [app] = await control.listApps()
  const appSlug = app?.slug ?? FIRST_APP
  const hasKey = (await control.listKeys()).length > 0
  // First, so that nothing has to be undone where it can't be shown.
  if (!hasKey) await createKey(account, { name: FIRST_KEY }, ({ apiKey }) => show({ appSlug, apiKey }))
  const wasDeleted = (await control.listDeletedApps()).some(({ slug }) => slug === FIRST_APP)
  if (app === undefined && !wasDeleted) await createApp(account, FIRST_APP)
  await control.putSetting(SETTING, 'yes')
}
