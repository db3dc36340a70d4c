import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** A new file with the same table as a collection of Sheaf's, as durable. Hold on to `db`, else it is closed. */
export function openTable(file: string): { readonly db: DatabaseSync; readonly insert: StatementSync } {
  const db = new DatabaseSync(file)
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE documents (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL)`)
  return { db, insert: db.prepare('INSERT INTO documents (id, doc) VALUES (?, jsonb(?))') }
}
