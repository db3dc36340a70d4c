import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'

/** The setting that names the apps, by their ids, for which no index is made unasked. */
const SETTING = 'auto_index_off'

/** Whether indexes may be made for an app, by its id, without being asked for; for none where that can't be read. */
export function hasAutoIndex(control: { setting(name: string): string | undefined }, app: string): boolean {
  return idsIn(control.setting(SETTING))?.has(app) === false
}

/** @throws AppError `app_not_found` */
export function writeAutoIndex(db: DatabaseSync, { slug, isOn }: { slug: string; isOn: boolean }): void {
  const app = db.prepare('SELECT id FROM apps WHERE slug = ?').get(slug)
  if (app === undefined) throw new AppError('app_not_found', `there is no app "${slug}"`)
  const row = db.prepare('SELECT value FROM settings WHERE name = ?').get(SETTING)
  // An app that was deleted stays among them, for no other will have its id.
  const off = idsIn(row && Buffer.from(row.value as Uint8Array).toString()) ?? allIds(db)
  if (isOn) off.delete(String(app.id))
  else off.add(String(app.id))
  db.prepare(
    'INSERT INTO settings(name, value) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value',
  ).run(SETTING, Buffer.from(JSON.stringify([...off])))
}

/** Undefined where the setting is damaged. */
function idsIn(setting: string | undefined): Set<string> | undefined {
  try {
    const ids: unknown = setting === undefined ? [] : JSON.parse(setting)
    return Array.isArray(ids) ? new Set(ids) : undefined
  } catch {
    return undefined
  }
}

function allIds(db: DatabaseSync): Set<string> {
  return new Set(
    db
      .prepare('SELECT id FROM apps')
      .all()
      .map(({ id }) => String(id)),
  )
}
