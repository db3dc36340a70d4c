import { DatabaseSync } from 'node:sqlite'
import { NEWEST_VERSION } from '../../accounts/newest-version.ts'
import { controlFile } from '../files/data-folder.ts'
import { createPrivateFile } from '../files/private-file.ts'
import { openingError } from './control-failures.ts'
import { controlVersion, enterWalMode } from './control-schema.ts'

const BUSY_TIMEOUT_MS = 5000

/**
 * A connection to the control file, which is made where there is none, and brought to this version by the query builder,
 * which is loaded for that alone. The folder has to be there (`openDataFolder`).
 * @throws AppError `data_folder_unusable`, `store_unavailable`
 */
export async function openControlDatabase(dataDir: string): Promise<DatabaseSync> {
  const db = connect(dataDir)
  try {
    if (controlVersion(db) < NEWEST_VERSION) {
      const { migrateControl } = await import('./migrate-control.ts')
      await migrateControl(db)
    }
    return db
  } catch (error) {
    db.close()
    throw openingError(dataDir, error)
  }
}

/** The same for a file that was opened before by this process, and so is of this version. */
export function reopenControlDatabase(dataDir: string): DatabaseSync {
  return connect(dataDir)
}

function connect(dataDir: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    createPrivateFile(controlFile(dataDir), dataDir)
    db = new DatabaseSync(controlFile(dataDir), { timeout: BUSY_TIMEOUT_MS })
    controlVersion(db)
    enterWalMode(db, BUSY_TIMEOUT_MS)
    db.exec('PRAGMA synchronous=FULL')
    return db
  } catch (error) {
    db?.close()
    throw openingError(dataDir, error)
  }
}
