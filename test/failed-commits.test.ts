import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { Connection } from '../src/storage/sqlite/files/connection.ts'
import { createAppFile } from '../src/storage/sqlite/files/schema.ts'
import type { WriteRequest } from '../src/storage/sqlite/protocol/requests.ts'
import {
  collectionSlot,
  documentSlot,
  type ReadVersions,
} from '../src/storage/sqlite/protocol/seqlock-table.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf } from './contract-harness.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheaf-failed-commit-'))
after(() => rmSync(folder, { recursive: true }))

/** SQLite's codes of a flush that failed, of no room for a page, and of another connection that holds the file. */
const FLUSH_FAILED = 1034
const FULL = 13
const BUSY = 5

function save(id: number): WriteRequest {
  return { kind: 'save', ...AT, permitted: ANYTHING, documents: [{ id, text: `{"_id":${id},"n":${id}}` }] }
}

/**
 * An engine whose next commits fail. Nothing but a broken disk makes a flush fail, so the error is put in the place of
 * the statement, the narrowest there is; what SQLite leaves behind then is in the test of the log below.
 */
function failing(t: TestContext, { errcode, times }: { errcode: number; times: number }): SqliteEngine {
  const engine = new SqliteEngine()
  t.after(() => engine.close())
  engine.write(save(1))
  engine.addIndex('n', [{ path: ['n'], direction: 1 }])
  const { connection } = engine
  const run = connection.run.bind(connection)
  let left = times
  t.mock.method(connection, 'run', (sql: string, ...parameters: []) => {
    if (sql !== 'COMMIT' || left-- <= 0) return run(sql, ...parameters)
    throw Object.assign(new Error('disk I/O error'), { errcode })
  })
  return engine
}

function codesOf(engine: SqliteEngine, writes: readonly WriteRequest[]): unknown[] {
  return engine.commit(writes).map((outcome) => ('failure' in outcome ? outcome.failure.code : 'done'))
}

describe('a group of writes whose commit fails', () => {
  const cases: [what: string, failure: { errcode: number; times: number }, code: string][] = [
    [
      'may have been done where the flush fails, and so does the next',
      { errcode: FLUSH_FAILED, times: 2 },
      'outcome_unknown',
    ],
    [
      'was not done where another commit takes its place in the log',
      { errcode: FLUSH_FAILED, times: 1 },
      'store_unavailable',
    ],
    ['was not done where the disk is full', { errcode: FULL, times: 1 }, 'store_unavailable'],
    ['was not done where the file is locked', { errcode: BUSY, times: 1 }, 'store_unavailable'],
  ]
  for (const [what, failure, code] of cases)
    it(what, (t) => {
      const engine = failing(t, failure)
      const stamp = engine.versions.beginRead([documentSlot(AT, '2'), collectionSlot(AT)]) as ReadVersions
      const group: WriteRequest[] = [save(2), { kind: 'deleteOne', ...AT, ids: [1] }, { kind: 'drop', ...AT }]
      assert.deepEqual(codesOf(engine, group), [code, code, code])
      // What was kept in memory is read anew, and may be kept again.
      assert.equal(engine.versions.isCurrent(stamp), false)
      assert.notEqual(engine.versions.beginRead(stamp.slots), undefined)
      const filter = filterOf('{}')
      const count = { kind: 'count' as const, ...AT, filter, budgetMs: 30_000, isForeground: false }
      assert.equal(engine.read<{ count: number }>(count).count, 1)
      assert.equal(checkCatalog(engine.connection), 1)
      assert.deepEqual(codesOf(engine, [save(2), save(3)]), ['done', 'done'])
      assert.equal(engine.read<{ count: number }>(count).count, 3)
      checkCatalog(engine.connection)
    })
})

describe('a transaction that stands in the log, and was not flushed', () => {
  /** The document that a new server finds, with this log beside the file. */
  function documentsWith(log: Uint8Array, name: string): unknown[] {
    const file = join(folder, name)
    copyFileSync(join(folder, 'app.sqlite'), file)
    writeFileSync(`${file}-wal`, log)
    const connection = new Connection(file, 'writer')
    const found = connection.prepare('SELECT id FROM c1').all()
    connection.close()
    return found.flat()
  }

  it('comes back after a crash, and does not where another commit has begun in its place', () => {
    const file = join(folder, 'app.sqlite')
    createAppFile(file)
    const connection = new Connection(file, 'writer')
    connection.execute("INSERT INTO collections (name) VALUES ('c')")
    const { table } = connection.catalog.collection('c')!
    connection.execute(
      `CREATE TABLE ${table} (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, doc BLOB NOT NULL)`,
    )
    connection.execute(`INSERT INTO ${table} VALUES (1, 1, x'00')`)
    const before = readFileSync(`${file}-wal`)
    connection.execute(`INSERT INTO ${table} VALUES (2, 2, zeroblob(100000))`)
    const written = readFileSync(`${file}-wal`)

    const other = join(folder, 'other.sqlite')
    copyFileSync(file, other)
    writeFileSync(`${other}-wal`, before)
    const rolledBack = new Connection(other, 'writer')
    rolledBack.beginWrite()
    rolledBack.rewriteFirstPage()
    rolledBack.run('COMMIT')
    const overwriting = readFileSync(`${other}-wal`)
    rolledBack.close()

    assert.ok(overwriting.length > before.length && overwriting.length < written.length)
    assert.deepEqual(documentsWith(written, 'written.sqlite'), [1, 2])
    const overwritten = Buffer.concat([overwriting, written.subarray(overwriting.length)])
    assert.deepEqual(documentsWith(overwritten, 'overwritten.sqlite'), [1])
    connection.close()
  })
})
