import type { Kysely } from 'kysely'
import { appAt } from './apps.ts'
import { AUTO_INDEX_SETTING, idsWithoutAutoIndex } from './auto-index-setting.ts'
import { selectSetting, upsertSetting } from './settings.ts'
import type { Tables } from './tables.ts'

/** Answers the app's id. @throws AppError `app_not_found` */
export async function writeAutoIndex(
  db: Kysely<Tables>,
  { slug, isOn }: { slug: string; isOn: boolean },
): Promise<string> {
  const { id } = await appAt(db, slug)
  // An app that was deleted stays among them, for no other will have its id.
  const off = idsWithoutAutoIndex(await selectSetting(db, AUTO_INDEX_SETTING)) ?? (await allIds(db))
  if (isOn) off.delete(id)
  else off.add(id)
  await upsertSetting(db, AUTO_INDEX_SETTING, JSON.stringify([...off]))
  return id
}

async function allIds(db: Kysely<Tables>): Promise<Set<string>> {
  const rows = await db.selectFrom('apps').select('id').execute()
  return new Set(rows.map(({ id }) => id))
}
