import { NO_SETTINGS } from '../domain/app-settings.ts'
import { describeAppSentence } from '../domain/describe-key-sentence.ts'
import { addressMatches, type Network, parseNetwork } from '../domain/network.ts'
import { type AppSettingsDescription, describeAppSettings } from '../domain/read-app-settings.ts'
import type { AppRecord } from '../storage/store.ts'
import { authoriseCaller } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/** What an app's owner has settled for all of its keys, as programs read it. */
export interface DescribedAppSettings extends AppSettingsDescription {
  /** What of that bounds every key, in words; null where nothing does. */
  readonly sentence: string | null
  /** What the server takes of one document, whatever the app says. */
  readonly serverDocumentBytes: number
  /** What of the settings can't be read, where something can't: no key is let in then. */
  readonly damaged?: string
  /** Where this request came from. */
  readonly address: string
  /** Whether `addresses` shut out keys that are used from there. */
  readonly isOutside: boolean
}

const NO_KEY = "No key of this app works, for its settings can't be read."

/** @throws AppError `app_not_found`, `permission_denied` */
export async function getAppSettings(
  context: Pick<AccountsContext, 'accounts' | 'limits'>,
  caller: AccountCaller,
  { app: slug }: AppInput,
): Promise<DescribedAppSettings> {
  const { app } = await authoriseCaller(context, caller, { slug, role: 'viewer', permission: 'read' })
  return describeSettingsOf(context, caller, app)
}

export function describeSettingsOf(
  { limits }: Pick<AccountsContext, 'limits'>,
  { address }: AccountCaller,
  { settings = NO_SETTINGS, damage }: AppRecord,
): DescribedAppSettings {
  return {
    ...describeAppSettings(settings),
    ...(damage !== undefined && { damaged: damage }),
    sentence: damage === undefined ? (describeAppSentence(settings) ?? null) : NO_KEY,
    serverDocumentBytes: limits.documentBytes,
    address,
    isOutside: settings.addresses !== 'all' && !addressMatches(address, networksOf(settings.addresses)),
  }
}

function networksOf(texts: readonly string[]): readonly Network[] {
  return texts.map(parseNetwork).filter((each) => each !== undefined)
}
