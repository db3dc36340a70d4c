import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { NEWEST_VERSION } from '../../accounts/newest-version.ts'
import { SQLITE_BUSY, sqliteCode } from '../files/sqlite-code.ts'

/** 'SHFC' in ASCII. */
export const APPLICATION_ID = 0x53_48_46_43
const RETRY_MS = 5

/**
 * How many migrations were done to the file, which older versions know it by, too.
 * @throws AppError `data_folder_unusable` where it is another's, or a newer Sheaf's
 */
export function controlVersion(db: DatabaseSync): number {
  const version = pragma(db, 'user_version')
  const isNew = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (!isNew && pragma(db, 'application_id') !== APPLICATION_ID)
    throw new AppError(
      'data_folder_unusable',
      'control.sqlite in the data folder is not a Sheaf control file',
    )
  if (version > NEWEST_VERSION)
    throw new AppError(
      'data_folder_unusable',
      `the data folder was written by a newer Sheaf (version ${version}, this one knows ${NEWEST_VERSION}); upgrade`,
    )
  return version
}

/** SQLite asks no busy handler while it changes the journal mode, so two processes starting at once wait here. */
export function enterWalMode(db: DatabaseSync, busyTimeoutMs: number): void {
  const deadline = Date.now() + busyTimeoutMs
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode=WAL')
      return
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || Date.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}
