import type { ControlStore } from '../storage/store.ts'
import { createApp } from './create-app.ts'
import { createKey } from './create-key.ts'

const SETTING = 'provisioned'
const FIRST_APP = 'demo'
const FIRST_KEY = 'default'

/** The settings of a data folder, each a text under a name; a store may answer at once or later. */
export interface Settings {
  setting(name: string): string | undefined | Promise<string | undefined>
  putSetting(name: string, value: string): void | Promise<void>
}

export interface FirstStart {
  readonly appSlug: string
  readonly apiKey: string
}

/**
 * Gives a new data folder an app and a key to begin with, once in its life: a key that was revoked never comes
 * back. What the command line made before the first start is used and not added to. Answers undefined where there
 * is no new key to show. Call it only once the server listens, for a start that fails would lose the key.
 */
export async function provision(
  control: ControlStore & Settings,
  { now } = { now: Date.now },
): Promise<FirstStart | undefined> {
  const account = { control, actor: 'start', now }
  if ((await control.setting(SETTING)) !== undefined) return undefined
  const [app] = await control.listApps()
  const appSlug = (app ?? (await createApp(account, FIRST_APP))).slug
  const hasKey = (await control.listKeys()).length > 0
  const apiKey = hasKey ? undefined : (await createKey(account, { name: FIRST_KEY })).apiKey
  await control.putSetting(SETTING, 'yes')
  return apiKey === undefined ? undefined : { appSlug, apiKey }
}
