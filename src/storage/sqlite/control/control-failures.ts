import { AppError } from '../../../errors.ts'
import { controlFile, unusable } from '../files/data-folder.ts'
import { SQLITE_BUSY, sqliteCode } from '../files/sqlite-code.ts'
import { storageProblem } from '../files/storage-problem.ts'

const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** What may pass while the file is in use: a disk that is full or fails, rights that were taken away. */
const PASSING = new Set([8, 10, 13, 14])

/** What went wrong with the control file when it was used, as the caller is told of it. */
export function controlError(dataDir: string, error: unknown): AppError {
  const code = sqliteCode(error)
  if (code === undefined || !PASSING.has(code)) return openingError(dataDir, error)
  const message = 'the control file can not be read or written right now; try again later'
  const problem = storageProblem(controlFile(dataDir), error)
  const cause = problem === undefined ? error : new Error(problem, { cause: error })
  return new AppError('store_unavailable', message, { cause })
}

/** The same when it was opened. */
export function openingError(dataDir: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = sqliteCode(error)
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED)
    return new AppError('store_unavailable', 'the control file is busy; try again', { cause: error })
  if (code === SQLITE_NOTADB || code === SQLITE_CORRUPT)
    return unusable(dataDir, 'control.sqlite is damaged or not a Sheaf control file; restore it', error)
  const refused = storageProblem(controlFile(dataDir), error)
  if (refused !== undefined) return unusable(dataDir, refused, error)
  const problem = error instanceof Error ? error.message : String(error)
  return unusable(dataDir, code === undefined ? problem : `control.sqlite: ${problem}`, error)
}
