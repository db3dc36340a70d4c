import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/**
 * Whether an app's file has indexes that are unfinished or that the service made. It keeps nothing open and changes
 * nothing, so that a start that finds none costs little. A file of a version without indexes has none; of one that
 * can't be read, whoever opens it to work on it will say why.
 */
export function hasIndexWork(path: string): boolean {
  let db: DatabaseSync | undefined
  try {
    // A connection that can't write leaves the empty log behind that it makes. One that can copies a log that is there
    // into the file when it is closed, which is not worth its time here.
    const readOnly = existsSync(`${path}-wal`)
    const url = pathToFileURL(path)
    // Nothing is made where there is no file; asking for more than the connection may is refused.
    url.search = readOnly ? 'mode=ro' : 'mode=rw'
    db = new DatabaseSync(url, { readOnly })
    db.exec('PRAGMA query_only = ON')
    const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'indexes'"
    if (db.prepare(table).get() === undefined) return false
    const work = "SELECT 1 FROM indexes WHERE state IN ('building', 'dropping') OR is_automatic = 1 LIMIT 1"
    return db.prepare(work).get() !== undefined
  } catch {
    return true
  } finally {
    db?.close()
  }
}
