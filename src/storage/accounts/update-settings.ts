import type { Kysely } from 'kysely'
import { NO_SETTINGS } from '../../domain/app-settings.ts'
import { AppError } from '../../errors.ts'
import type { AppSettingsChange } from '../account-changes.ts'
import type { AppRecord } from '../store.ts'
import { appAt } from './apps.ts'
import type { Change } from './audited-transactions.ts'
import { refuseLongRules } from './owner-bounds.ts'
import { auditedSettings, settingsFromText, settingsToText } from './stored-settings.ts'
import type { Tables } from './tables.ts'

/**
 * Changes the settings that are given. Of those that can't be read nobody knows what they limited, so that each has to be
 * given anew. A part of its caller's transaction.
 * @throws AppError `app_not_found`, `invalid_rule`
 */
export async function updateSettings(
  db: Kysely<Tables>,
  { app: address, settings: changed }: AppSettingsChange,
): Promise<Change<AppRecord>> {
  const app = await appAt(db, address)
  const { id, slug, owner } = app
  const { settings: before } = await db
    .selectFrom('apps')
    .select('settings')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { settings = NO_SETTINGS, damaged = [] } = settingsFromText(before) ?? {}
  const missing = damaged.filter((setting) => changed[setting] === undefined)
  if (missing.length > 0)
    throw new AppError(
      'invalid_rule',
      `the app "${slug}" has settings that can't be read; give these anew: ${missing.join(', ')}`,
    )
  const text = settingsToText({ ...settings, ...changed })
  await db.updateTable('apps').set({ settings: text }).where('id', '=', id).execute()
  // One that gets shorter settings is no reason to refuse them, whatever there was before.
  if (text.length > before.length) await refuseLongRules(db, owner)
  const details = auditedSettings(changed)
  const change = { action: 'app.settings', subject: slug, app: id, details, isOfDirectory: true }
  return { result: await appAt(db, app), ...change }
}
