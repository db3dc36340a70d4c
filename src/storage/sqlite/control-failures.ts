import { AppError } from '../../errors.ts'
import { SQLITE_BUSY, sqliteCode, unusable } from './data-folder.ts'

const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** What went wrong with the control file, as the caller is told of it. */
export function controlError(dataDir: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = sqliteCode(error)
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED)
    return new AppError('store_unavailable', 'the control file is busy; try again', { cause: error })
  if (code === SQLITE_NOTADB || code === SQLITE_CORRUPT)
    return unusable(dataDir, 'control.sqlite is damaged or not a Sheaf control file; restore it', error)
  const problem = error instanceof Error ? error.message : String(error)
  return unusable(dataDir, code === undefined ? problem : `control.sqlite: ${problem}`, error)
}
