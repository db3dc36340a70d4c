import { AppError } from '../errors.ts'
import {
  type AppSettings,
  isDocumentBytes,
  MOST_DOCUMENT_BYTES,
  SETTINGS,
  type SHARED_RULES,
} from './app-settings.ts'
import { describeSomeRules } from './describe-rules.ts'
import { type KeyDefaults, readKeyDefaults } from './key-defaults.ts'
import { parseKeyRules, type RulesDescription } from './key-rules-input.ts'
import { readKeyRules } from './read-key-rules.ts'

/** The settings of an app as people and programs write and read them; rules are as those of a key. */
export interface AppSettingsDescription extends Pick<RulesDescription, (typeof SHARED_RULES)[number]> {
  readonly documentBytes: number | null
  readonly keyDefaults: KeyDefaults
}

/**
 * Checks the settings that are given as JSON, and answers each in its one form.
 * @throws AppError `invalid_rule`, also where a name is none of a setting: it could be a limit that was misspelt
 */
export function readAppSettings(json: unknown): Partial<AppSettings> {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new AppError('invalid_rule', 'the settings must be an object, such as {"rate":"100/s"}')
  const unknown = Object.keys(json).find((name) => !SETTINGS.some((each) => each === name))
  if (unknown !== undefined)
    throw new AppError(
      'invalid_rule',
      `${JSON.stringify(unknown.slice(0, 100))} is no setting; the settings are ${SETTINGS.join(', ')}`,
    )
  const { documentBytes, keyDefaults, ...rules }: Readonly<Record<string, unknown>> = { ...json }
  return {
    ...parseKeyRules(readKeyRules(rules), { now: 0 }),
    ...(documentBytes !== undefined && { documentBytes: documentBytesFrom(documentBytes) }),
    ...(keyDefaults !== undefined && { keyDefaults: readKeyDefaults(keyDefaults) }),
  }
}

/** Settings for people and programs: `readAppSettings` takes what this answers. */
export function describeAppSettings({
  documentBytes,
  keyDefaults,
  ...rules
}: AppSettings): AppSettingsDescription {
  return { ...describeSomeRules(rules), documentBytes, keyDefaults } as AppSettingsDescription
}

function documentBytesFrom(value: unknown): number | null {
  if (isDocumentBytes(value)) return value
  throw new AppError(
    'invalid_rule',
    `documentBytes takes a whole number of bytes from 1 to ${MOST_DOCUMENT_BYTES}, or null for the limit of the server alone`,
  )
}
