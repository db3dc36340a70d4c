import { readAppSettings } from '../domain/read-app-settings.ts'
import { AppError } from '../errors.ts'
import type { AppRecord } from '../storage/store.ts'
import type { OwnerContext } from './context.ts'

export interface AppUpdate {
  readonly slug: string
  /** `on` or `off`. */
  readonly autoIndex?: string | undefined
  /** By their names; those that are undefined stay. */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Changes what is given, and nothing where that is nothing.
 * @throws AppError `app_not_found`, `invalid_configuration`, `invalid_rule`
 */
export async function updateApp(
  { control, actor }: OwnerContext,
  { slug, autoIndex, settings }: AppUpdate,
): Promise<AppRecord> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const changed = readAppSettings(Object.fromEntries(given))
  const isSettled = Object.keys(changed).length > 0
  if (autoIndex === undefined && !isSettled)
    throw new AppError(
      'invalid_configuration',
      'say what to change, such as --rate 100/min: "sheaf app update --help" lists the options',
    )
  if (autoIndex !== undefined && autoIndex !== 'on' && autoIndex !== 'off')
    throw new AppError('invalid_configuration', '--auto-index takes on or off')
  if (autoIndex !== undefined) await control.setAutoIndex({ app: slug, isOn: autoIndex === 'on' }, actor)
  if (isSettled) return control.updateAppSettings({ app: slug, settings: changed }, actor)
  return (await control.listApps()).find((app) => app.slug === slug)!
}
