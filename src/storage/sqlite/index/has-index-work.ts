import { DatabaseSync } from 'node:sqlite'

/**
 * Whether an app's file has indexes that are unfinished or that the service made. It keeps nothing open and changes
 * nothing, so that a start that finds none costs little. A file of a version without indexes has none; of one that
 * can't be read, whoever opens it to work on it will say why.
 */
export function hasIndexWork(path: string): boolean {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { readOnly: true })
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
