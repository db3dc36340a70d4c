import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { Connection } from './connection.ts'
import { createAppFile } from './schema.ts'

function fileIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-schema-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'app.sqlite')
}

test('a file that a newer version wrote is left alone', (t) => {
  const file = fileIn(t)
  createAppFile(file)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA user_version=1000')
  db.close()
  assert.throws(() => new Connection(file, 'writer'), { code: 'store_unavailable' })
})

test('a file of the first version learns how many documents it has and which row ids were taken, whoever opens it first', (t) => {
  const file = fileIn(t)
  const db = new DatabaseSync(file)
  db.exec(`
    PRAGMA journal_mode=WAL;
    CREATE TABLE collections(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;
    PRAGMA user_version=1;
    INSERT INTO collections(name) VALUES ('people'), ('empty');
    CREATE TABLE c1 (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL);
    CREATE TABLE c2 (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL);
    INSERT INTO c1 VALUES (3, 'a', jsonb('{"_id":"a"}')), (7, 'b', jsonb('{"_id":"b"}'));`)
  db.close()
  for (const mode of ['reader', 'writer'] as const) {
    const connection = new Connection(file, mode)
    const { catalog } = connection
    const people = catalog.collection('people')!
    const empty = catalog.collection('empty')!
    assert.deepEqual([catalog.documentsOf(people), catalog.documentsOf(empty)], [2, 0])
    assert.deepEqual([catalog.nextRowId(people), catalog.nextRowId(empty)], [8, 1])
    assert.deepEqual(catalog.indexesOf(people), [])
    connection.close()
  }
})
