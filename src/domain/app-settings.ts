import { isKeyDefaults, type KeyDefaults } from './key-defaults.ts'
import { KEY_RULES, type KeyRules } from './key-rules.ts'

/** The rules that an app has for all of its keys, beside those of each. */
export const SHARED_RULES = ['addresses', 'websites', 'localhost', 'rate'] as const

/** What an app's owner has settled for all of its keys. */
export interface AppSettings extends Pick<KeyRules, (typeof SHARED_RULES)[number]> {
  /** Of one document, whoever writes it; null is as many as the server takes. */
  readonly documentBytes: number | null
  readonly keyDefaults: KeyDefaults
}

interface AppSetting<Value> {
  /** What an app has where nothing was set. */
  readonly unlimited: Value
  /** What it has where that can't be read. */
  readonly closed: Value
  /** Whether a stored value has the form of the setting. */
  readonly isValid: (stored: unknown) => boolean
}

/** As far as the server's own limit can be moved. */
export const MOST_DOCUMENT_BYTES = 256 * 1024 * 1024

/** Every setting, by the name under which it is stored, which never changes; one that is missing does not compile. */
export const APP_SETTINGS: { readonly [Setting in keyof AppSettings]: AppSetting<AppSettings[Setting]> } = {
  addresses: KEY_RULES.addresses,
  websites: KEY_RULES.websites,
  localhost: KEY_RULES.localhost,
  rate: KEY_RULES.rate,
  documentBytes: { unlimited: null, closed: 1, isValid: isDocumentBytes },
  keyDefaults: { unlimited: {}, closed: {}, isValid: isKeyDefaults },
}

export const SETTINGS = Object.keys(APP_SETTINGS) as readonly (keyof AppSettings)[]

/** Of an app for which nothing was set. */
export const NO_SETTINGS: AppSettings = Object.freeze(
  Object.fromEntries(SETTINGS.map((setting) => [setting, APP_SETTINGS[setting].unlimited])),
) as unknown as AppSettings

export function isDocumentBytes(value: unknown): value is number | null {
  if (value === null) return true
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MOST_DOCUMENT_BYTES
}
