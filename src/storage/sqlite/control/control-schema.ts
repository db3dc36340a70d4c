import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { SQLITE_BUSY, sqliteCode } from '../files/sqlite-code.ts'

/** 'SHFC' in ASCII. */
const APPLICATION_ID = 0x53_48_46_43
const RETRY_MS = 5

/** Step n brings a file of version n to version n + 1. Steps are never changed once released, only added. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE settings(
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE apps(
    id TEXT NOT NULL PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE removed_apps(
    id TEXT NOT NULL PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keys(
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    permission TEXT NOT NULL,
    apps TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  // Every key of version 1 could do everything.
  `
  CREATE TABLE ruled_keys(
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    rules TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  INSERT INTO ruled_keys(id, name, rules, created_at)
    SELECT id, name,
      '{"verbs":["read","create","update","delete"],"apps":"all","collections":"all","addresses":"all",' ||
      '"websites":"all","localhost":true,"rate":null,"expiresAt":null,"tokenLifetimeMs":864000000}',
      created_at
    FROM keys;
  CREATE TABLE key_secrets(
    seq INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    until INTEGER
  ) STRICT;
  CREATE INDEX key_secrets_by_key ON key_secrets(key_id);
  INSERT INTO key_secrets(key_id, hash) SELECT id, hash FROM keys;
  DROP TABLE keys;
  ALTER TABLE ruled_keys RENAME TO keys;
  CREATE TABLE token_secrets(
    seq INTEGER PRIMARY KEY,
    kid TEXT NOT NULL UNIQUE,
    secret BLOB NOT NULL,
    until INTEGER
  ) STRICT;
  INSERT INTO token_secrets(kid, secret)
    SELECT lower(hex(randomblob(8))), value FROM settings WHERE name = 'token_secret';
  DELETE FROM settings WHERE name = 'token_secret';
  CREATE TABLE audit(
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
  ) STRICT;
  `,
]

/**
 * Brings a control file, new or old, to this version, whatever other processes do to it at the same time.
 * @throws AppError `data_folder_unusable`
 */
export function migrateControl(db: DatabaseSync, busyTimeoutMs: number): void {
  checkVersion(db)
  enterWalMode(db, busyTimeoutMs)
  db.exec('PRAGMA synchronous=FULL')
  if (pragma(db, 'user_version') === STEPS.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    checkVersion(db)
    for (const step of STEPS.slice(pragma(db, 'user_version'))) db.exec(step)
    db.exec(`PRAGMA application_id=${APPLICATION_ID}; PRAGMA user_version=${STEPS.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function checkVersion(db: DatabaseSync): void {
  const version = pragma(db, 'user_version')
  const isNew = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
  if (!isNew && pragma(db, 'application_id') !== APPLICATION_ID)
    throw new AppError(
      'data_folder_unusable',
      'control.sqlite in the data folder is not a Sheaf control file',
    )
  if (version > STEPS.length)
    throw new AppError(
      'data_folder_unusable',
      `the data folder was written by a newer Sheaf (version ${version}, this one knows ${STEPS.length}); upgrade`,
    )
}

/** SQLite asks no busy handler while it changes the journal mode, so two processes starting at once wait here. */
function enterWalMode(db: DatabaseSync, busyTimeoutMs: number): void {
  const deadline = Date.now() + busyTimeoutMs
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode=WAL')
      return
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || Date.now() > deadline) throw error
      Atomics.wait(pause, 0, 0, RETRY_MS)
    }
  }
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}
