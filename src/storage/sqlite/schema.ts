import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** 'SHFA' in ASCII: marks a file as one app's documents. */
const APP_FILE_APPLICATION_ID = 0x53_48_46_41
const APP_FILE_VERSION = 1

/** Makes the empty database file of a new app, readable by its owner alone. */
export function createAppFile(path: string): void {
  const db = new DatabaseSync(path)
  try {
    chmodSync(path, 0o600)
    db.exec('PRAGMA journal_mode=WAL')
    db.exec(`
      BEGIN IMMEDIATE;
      CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;
      PRAGMA application_id=${APP_FILE_APPLICATION_ID};
      PRAGMA user_version=${APP_FILE_VERSION};
      COMMIT`)
  } finally {
    db.close()
  }
}

/** The table of one collection: the place in natural order, the id (a text or a number), the document as JSONB. */
export function collectionTable(name: string): string {
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL)`
}
