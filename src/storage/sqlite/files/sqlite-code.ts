/** SQLite's result code where another connection writes. */
export const SQLITE_BUSY = 5
/** SQLite's result code where the system failed to read or write. */
export const SQLITE_IOERR = 10
/** SQLite's result code where a write found no room. */
export const SQLITE_FULL = 13
/** SQLite's result code where a file can't be opened. */
export const SQLITE_CANTOPEN = 14

/** SQLite's primary result code, or undefined where the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}
