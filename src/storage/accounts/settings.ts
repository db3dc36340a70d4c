import type { Kysely } from 'kysely'
import type { SettingName } from '../setting-names.ts'
import type { Tables } from './tables.ts'

export async function selectSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && Buffer.from(row.value).toString()
}

export async function upsertSetting(db: Kysely<Tables>, name: SettingName, text: string): Promise<void> {
  const value = Buffer.from(text)
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function deleteSetting(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).execute()
}
