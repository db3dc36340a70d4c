import { APP_SETTINGS, type AppSettings, NO_SETTINGS, SETTINGS } from '../../domain/app-settings.ts'
import type { RestoredApp } from '../account-changes.ts'
import { audited } from './stored-rules.ts'

/** What could be read of an app's settings. */
export interface StoredSettings {
  /** What can't be read lets nothing in. */
  readonly settings: AppSettings
  /** Those that have not their form. */
  readonly damaged: readonly (keyof AppSettings)[]
}

/** A text that can't be read, for an app whose settings could not be read where it was before. */
const UNREADABLE = 'null'

/** How the settings of an app are written down that was somewhere else. */
export function restoredText(settings: RestoredApp['settings'] = NO_SETTINGS): string {
  return settings === 'unreadable' ? UNREADABLE : settingsToText(settings)
}

/** How settings stand in the audit trail: as they are kept, but for long lists. */
export function auditedSettings({
  keyDefaults,
  ...others
}: Partial<AppSettings>): Readonly<Record<string, unknown>> {
  return audited({ ...others, ...(keyDefaults && { keyDefaults: audited({ ...keyDefaults }) }) })
}

/** How settings are written down: those that limit nothing are left out, so that `{}` is an app for which nothing was set. */
export function settingsToText(settings: AppSettings): string {
  const set = SETTINGS.filter(
    (setting) => JSON.stringify(settings[setting]) !== JSON.stringify(APP_SETTINGS[setting].unlimited),
  )
  return JSON.stringify(Object.fromEntries(set.map((setting) => [setting, settings[setting]])))
}

/**
 * Reads settings back; undefined where nothing is set. One that is not there was not set; what is there and no setting may
 * be a limit of which nothing is known, so that all of them count as damaged, as they do where the text can't be read.
 */
export function settingsFromText(text: string): StoredSettings | undefined {
  if (text === '{}') return undefined
  const stored = objectFrom(text)
  const isKnown =
    stored !== undefined && Object.keys(stored).every((name) => Object.hasOwn(APP_SETTINGS, name))
  const damaged = SETTINGS.filter(
    (setting) =>
      !isKnown || (Object.hasOwn(stored, setting) && !APP_SETTINGS[setting].isValid(stored[setting])),
  )
  const settings = SETTINGS.map((setting) => {
    if (damaged.includes(setting)) return [setting, APP_SETTINGS[setting].closed]
    return [setting, Object.hasOwn(stored!, setting) ? stored![setting] : APP_SETTINGS[setting].unlimited]
  })
  return { settings: Object.fromEntries(settings) as AppSettings, damaged }
}

function objectFrom(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
