import { AppError } from '../../../errors.ts'
import type { Connection } from '../files/connection.ts'
import { SQLITE_BUSY, SQLITE_FULL, sqliteCode } from '../files/sqlite-code.ts'

/**
 * Puts a transaction on the disk. Where only the flush fails, all of it stands in the write-ahead log already: the
 * connections that are open don't see it, yet the first one after a crash would. Another commit takes its place there,
 * and what comes behind that can't be read any more, so that it is certain then that nothing was done.
 * @throws AppError `outcome_unknown` where that fails, too
 */
export function commit(connection: Connection): void {
  try {
    connection.run('COMMIT')
  } catch (error) {
    if (isNothingWritten(error) || isOverwritten(connection)) throw error
    throw new AppError(
      'outcome_unknown',
      'the disk failed while the write was put on it, and whether it was done is not known; look before you send it again',
      { cause: error },
    )
  }
}

/**
 * Whether the log has no whole transaction: SQLite was not let write, or there was no room for the last page, which is
 * the one that makes it whole. To a flush that finds the disk full SQLite gives another code.
 */
function isNothingWritten(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE_BUSY || code === SQLITE_FULL
}

function isOverwritten(connection: Connection): boolean {
  try {
    if (connection.isInTransaction()) connection.run('ROLLBACK')
    connection.beginWrite()
    connection.rewriteFirstPage()
    connection.run('COMMIT')
    return true
  } catch {
    return false
  }
}
