import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { NEWEST_VERSION } from '../../accounts/newest-version.ts'
import { controlFile, unusable } from '../files/data-folder.ts'
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
  makeFile(dataDir)
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

/**
 * The same for a file that this process has opened before, of which no other one is made.
 * @throws AppError `data_folder_unusable`, `store_unavailable`
 */
export function reopenControlDatabase(dataDir: string): DatabaseSync {
  if (!existsSync(controlFile(dataDir))) throw unusable(dataDir, 'control.sqlite is gone; restore it')
  const db = connect(dataDir)
  if (controlVersion(db) === NEWEST_VERSION) return db
  db.close()
  throw unusable(dataDir, 'control.sqlite is another one than before; restart the server')
}

function makeFile(dataDir: string): void {
  try {
    createPrivateFile(controlFile(dataDir), dataDir)
  } catch (error) {
    throw openingError(dataDir, error)
  }
}

function connect(dataDir: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
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
