import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { DROPPED_COLLECTION_MS } from '../../collection-store.ts'
import { isStaging } from '../files/schema.ts'

/** What is to be done in an app's file that no request asks for. */
export interface LeftWork {
  /** Whether it has indexes that are unfinished or that the service made. */
  readonly indexes: boolean
  /** Whether there is something to be swept away, or an import is under way. */
  readonly collections: boolean
}

/**
 * What is to be done in an app's file. It keeps nothing open and changes nothing, so that a start that finds nothing
 * costs little. A file of an earlier version has none of it; of one that can't be read, whoever opens it to work on it
 * will say why.
 * @param now milliseconds since the Unix epoch
 */
export function leftWork(path: string, now = Date.now()): LeftWork {
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
    const work = "SELECT 1 FROM indexes WHERE state IN ('building', 'dropping') OR is_automatic = 1 LIMIT 1"
    const staged = `SELECT 1 FROM collections WHERE ${isStaging('name')} LIMIT 1`
    const expired = 'SELECT 1 FROM bin WHERE dropped_at <= ? LIMIT 1'
    const isStaged = hasTable(db, 'imports') && db.prepare(staged).get() !== undefined
    const isExpired =
      hasTable(db, 'bin') && db.prepare(expired).get(now - DROPPED_COLLECTION_MS) !== undefined
    return {
      indexes: hasTable(db, 'indexes') && db.prepare(work).get() !== undefined,
      collections: isStaged || isExpired,
    }
  } catch {
    return { indexes: true, collections: false }
  } finally {
    db?.close()
  }
}

function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
}
