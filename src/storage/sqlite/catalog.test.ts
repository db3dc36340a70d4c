import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { Connection } from './connection.ts'

/** An app's file as the first version wrote it, with the documents at two places. */
const FIRST_VERSION = `
  CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;
  INSERT INTO collections(name) VALUES ('full'), ('empty');
  CREATE TABLE c1 (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL);
  CREATE TABLE c2 (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL);
  INSERT INTO c1 VALUES (3, 'a', jsonb('{"_id":"a"}')), (7, 'b', jsonb('{"_id":"b"}'));
  PRAGMA user_version=1;`

it('goes on behind the last place of a file that the first version wrote, and counts its documents', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-catalog-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'app.sqlite')
  const db = new DatabaseSync(path)
  db.exec(FIRST_VERSION)
  db.close()
  const connection = new Connection(path, 'writer')
  t.after(() => connection.close())
  const { catalog } = connection
  const full = catalog.collection('full')!
  const empty = catalog.collection('empty')!
  assert.equal(catalog.nextPlace(full), 8)
  assert.equal(catalog.documentsOf(full), 2)
  assert.equal(catalog.nextPlace(empty), 1)
  assert.equal(catalog.documentsOf(empty), 0)
})
