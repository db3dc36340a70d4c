import type { Kysely } from 'kysely'
import { AUTO_INDEX_SETTING, hasAutoIndex, idsWithoutAutoIndex } from './auto-index-setting.ts'
import { selectSetting, upsertSetting } from './settings.ts'
import type { Tables } from './tables.ts'

/** @param app by its id */
export async function writeAutoIndex(
  db: Kysely<Tables>,
  { app, isOn }: { app: string; isOn: boolean },
): Promise<void> {
  // An app that was deleted stays among them, for no other will have its id.
  const off = idsWithoutAutoIndex(await selectSetting(db, AUTO_INDEX_SETTING)) ?? (await allIds(db))
  if (isOn) off.delete(app)
  else off.add(app)
  await upsertSetting(db, AUTO_INDEX_SETTING, JSON.stringify([...off]))
}

/** @param app by its id */
export async function readAutoIndex(db: Kysely<Tables>, app: string): Promise<boolean> {
  const text = await selectSetting(db, AUTO_INDEX_SETTING)
  return hasAutoIndex({ setting: () => text }, app)
}

async function allIds(db: Kysely<Tables>): Promise<Set<string>> {
  const rows = await db.selectFrom('apps').select('id').execute()
  return new Set(rows.map(({ id }) => id))
}
