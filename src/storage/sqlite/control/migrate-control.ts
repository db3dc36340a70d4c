import type { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { migrate } from '../../accounts/migrations.ts'
import { NEWEST_VERSION } from '../../accounts/newest-version.ts'
import { APPLICATION_ID, controlVersion } from './control-schema.ts'
import { NodeSqliteDialect } from './node-sqlite-dialect.ts'

/**
 * Brings a control file, new or old, to this version in one transaction, whatever other processes do to it at the same
 * time.
 * @throws AppError `data_folder_unusable`
 */
export async function migrateControl(db: DatabaseSync): Promise<void> {
  await new Kysely({ dialect: new NodeSqliteDialect(db) }).transaction().execute(async (change) => {
    const taken = controlVersion(db)
    if (taken === NEWEST_VERSION) return
    const types = { text: sql`text`, integer: sql`integer`, bytes: sql`blob`, end: sql`strict` }
    await migrate(change, { types, taken })
    db.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${NEWEST_VERSION}`)
  })
}
