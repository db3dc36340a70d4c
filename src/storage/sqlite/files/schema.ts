import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import type { SortField } from '../../../query/ast.ts'
import { createPrivateFile } from './private-file.ts'

/** 'SHFA' in ASCII: marks a file as one app's documents. */
export const APP_FILE_APPLICATION_ID = 0x53_48_46_41

/** What each version of an app's file added to the one before. */
const STEPS: readonly string[] = [
  'CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;',
  `
  ALTER TABLE collections ADD COLUMN documents INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE collections ADD COLUMN last_place INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE indexes(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,
    name TEXT NOT NULL,
    fields TEXT NOT NULL,
    is_unique INTEGER NOT NULL,
    is_automatic INTEGER NOT NULL,
    state TEXT NOT NULL,
    built_to INTEGER NOT NULL DEFAULT 0,
    multikey INTEGER NOT NULL DEFAULT 0,
    has_apart INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (collection, name)
  ) STRICT;
  `,
  `
  ALTER TABLE collections ADD COLUMN stored_in INTEGER;
  CREATE TABLE imports(
    staging INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    target INTEGER,
    base INTEGER NOT NULL,
    copied_to INTEGER NOT NULL DEFAULT 0,
    taken INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL DEFAULT 0,
    replaced INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE import_changes(
    staging INTEGER NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (staging, row_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE import_replaced(
    staging INTEGER NOT NULL,
    row_id INTEGER NOT NULL,
    document INTEGER NOT NULL,
    PRIMARY KEY (staging, row_id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE bin(
    collection INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    dropped_at INTEGER NOT NULL,
    dropped_by TEXT NOT NULL
  ) STRICT;
  `,
  // Milliseconds since the Unix epoch; 0 for a collection that has the name with which it was made.
  'ALTER TABLE collections ADD COLUMN named_at INTEGER NOT NULL DEFAULT 0;',
]

/** The newest version of an app's file. */
export const APP_FILE_VERSION = STEPS.length

/** Makes the tables of an app's file of some version. */
export function createAppTables(db: DatabaseSync, version = APP_FILE_VERSION): void {
  for (const step of STEPS.slice(0, version)) db.exec(step)
}

/** Makes the empty database file of a new app, readable by its owner alone. */
export function createAppFile(path: string): void {
  createPrivateFile(path, dirname(path))
  const db = new DatabaseSync(path)
  try {
    db.exec('PRAGMA journal_mode=WAL; BEGIN IMMEDIATE')
    createAppTables(db)
    db.exec(`
      PRAGMA application_id=${APP_FILE_APPLICATION_ID};
      PRAGMA user_version=${STEPS.length};
      COMMIT`)
  } finally {
    db.close()
  }
}

/**
 * Brings an app's file that an earlier version wrote to this one, whoever else has it open.
 * @throws AppError `store_unavailable` where a newer version wrote it, or none
 */
export function migrateAppFile(db: DatabaseSync): void {
  if (versionOf(db) === STEPS.length) return
  if (versionOf(db) === 0)
    throw new AppError('store_unavailable', 'the file with the documents of this app is damaged; restore it')
  if (versionOf(db) > STEPS.length)
    throw new AppError('store_unavailable', 'a newer Sheaf wrote the documents of this app; upgrade this one')
  db.exec('BEGIN IMMEDIATE')
  try {
    const before = versionOf(db)
    for (const step of STEPS.slice(before)) db.exec(step)
    if (before < 2) countDocuments(db)
    db.exec(`PRAGMA user_version=${STEPS.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * The number in the name of a collection's table: its own, or that of the collection whose table an import has put in
 * the place of it.
 */
export const TABLE_NUMBER = 'coalesce(stored_in, id)'

/** The name of a staging collection, which no client can give to one: it begins with a control character. */
export function stagingName(id: number): string {
  return `\n${id}`
}

/** SQL: whether a name is one of these. */
export function isStaging(name: string): string {
  return `substr(${name}, 1, 1) = char(10)`
}

/** The name of one of these that is swept away, once its tables are empty. */
export function emptiedName(id: number): string {
  return `\n\n${id}`
}

/** SQL: whether a name is one of these. */
export function isEmptied(name: string): string {
  return `substr(${name}, 1, 2) = char(10, 10)`
}

/** The name of a collection in the bin, which no client can give to one either. */
export function binnedName(id: number): string {
  return `\r${id}`
}

/** SQL: whether a name is that of a collection that no client sees: one that is staged, swept away or in the bin. */
export function isHidden(name: string): string {
  return `substr(${name}, 1, 1) IN (char(10), char(13))`
}

/** The table of one collection: the row id in natural order, the id (a text or a number), the document as JSONB. */
export function collectionTable(name: string): string {
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL)`
}

/**
 * The table of one index: an order key for each field in its direction, the document's row id in natural order, and
 * what the entry stands for (`index-keys.ts`).
 */
export function indexTable(name: string, fields: readonly SortField[]): string {
  const columns = fields.map((_, field) => `${keyColumn(field)} BLOB NOT NULL`)
  const order = fields.map(({ direction }, field) => `${keyColumn(field)}${direction === 1 ? '' : ' DESC'}`)
  return (
    `CREATE TABLE ${name} (${columns.join(', ')}, place INTEGER NOT NULL, flags INTEGER NOT NULL, ` +
    `PRIMARY KEY (${order.join(', ')}, place)) WITHOUT ROWID`
  )
}

/** The column of a field's key, by the field's number from 0. */
export function keyColumn(field: number): string {
  return `k${field}`
}

function countDocuments(db: DatabaseSync): void {
  const update = db.prepare('UPDATE collections SET documents = ?, last_place = ? WHERE id = ?')
  for (const { id } of db.prepare('SELECT id FROM collections').all()) {
    const { n, last } = db.prepare(`SELECT count(*) AS n, coalesce(max(seq), 0) AS last FROM c${id}`).get()!
    update.run(n as number, last as number, id as number)
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()!.user_version)
}
