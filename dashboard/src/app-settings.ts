import { ofAppRead, type Read, useOfApp } from './apps-data.ts'
import { changedRules, type KeyRules, lines, list, type TypedRules, typedRules } from './key-rules.ts'

/** What holds for all keys of an app, as the server tells it. */
export interface AppSettings extends Pick<KeyRules, 'addresses' | 'websites' | 'localhost' | 'rate'> {
  readonly documentBytes: number | null
  readonly keyDefaults: Partial<KeyRules>
  /** What bounds every key, in words; null where nothing does. */
  readonly sentence: string | null
  /** What can't be read of them. */
  readonly damaged?: string
  readonly serverDocumentBytes: number
  /** Where one is, and whether keys would be shut out there. */
  readonly address: string
  readonly isOutside: boolean
}

/** The same as they are typed. */
export interface TypedSettings {
  readonly addresses: string
  readonly websites: string
  readonly localhost: boolean
  readonly rate: string
  readonly documentBytes: string
  readonly keyDefaults: TypedRules
}

export type SettingName = keyof TypedSettings

/** What a key may do that is made without rules. */
const UNLIMITED = typedRules({ permission: 'full' })

const EMPTY: TypedSettings = {
  addresses: '',
  websites: '',
  localhost: false,
  rate: '',
  documentBytes: '',
  keyDefaults: UNLIMITED,
}

const SETTINGS = Object.keys(EMPTY) as SettingName[]

export function appSettingsRead(slug: string): Read<AppSettings> {
  return ofAppRead(slug, '/settings')
}

export function useAppSettings(slug: string) {
  return useOfApp<AppSettings>(slug, '/settings')
}

/** What can't be read is as an empty form: what the server has in its place is no one's choice. */
export function typedSettings(settings: AppSettings): TypedSettings {
  const typed: TypedSettings = {
    addresses: lines(settings.addresses),
    websites: lines(settings.websites),
    localhost: settings.localhost,
    rate: settings.rate === 'none' ? '' : settings.rate,
    documentBytes: String(settings.documentBytes ?? ''),
    keyDefaults: typedRules({ permission: 'full', ...settings.keyDefaults }),
  }
  return { ...typed, ...Object.fromEntries(damagedSettings(settings).map((name) => [name, EMPTY[name]])) }
}

/** Those that can't be read, which are saved together or not at all. */
export function damagedSettings({ damaged = '' }: AppSettings): readonly SettingName[] {
  const words = damaged.split(/[, ]+/)
  return SETTINGS.filter((name) => words.includes(name))
}

/** Some of them as the server takes them. */
export function writtenSettings(
  typed: TypedSettings,
  names: readonly SettingName[],
): Record<string, unknown> {
  const { addresses, websites, localhost, rate, documentBytes, keyDefaults } = typed
  const written: Readonly<Record<SettingName, unknown>> = {
    addresses: list(addresses),
    websites: list(websites),
    localhost,
    rate: rate.trim() || 'none',
    documentBytes: bytesFrom(documentBytes.trim()),
    keyDefaults: changedRules(UNLIMITED, keyDefaults),
  }
  return Object.fromEntries(names.map((name) => [name, written[name]]))
}

/** What is no number goes to the server as it is, which says so: anything else could lift the limit. */
function bytesFrom(text: string): number | string | null {
  if (text === '') return null
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
