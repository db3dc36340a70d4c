import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { type PackedDocuments, packDocuments, slicePacked } from '../src/storage/packed.ts'
import { Connection } from '../src/storage/sqlite/files/connection.ts'
import { appFile } from '../src/storage/sqlite/files/data-folder.ts'
import type {
  AddedDocuments,
  ImportRequest,
  ImportResult,
} from '../src/storage/sqlite/protocol/import-requests.ts'
import { monotonicMs } from '../src/storage/sqlite/protocol/monotonic.ts'
import { SqliteIndexes } from '../src/storage/sqlite/sqlite-indexes.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf, textOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

/** More than is kept in memory until the end. */
const MANY = 3000
const TERMS = { onConflict: 'fail', skipsRefused: false } as const

function many(padding = ''): PackedDocuments {
  return packDocuments(
    Array.from({ length: MANY }, (_, n) => ({ id: n, text: `{"_id":${n},"n":${n % 7},"p":"${padding}"}` })),
  )
}

async function opened(t: TestContext) {
  const { dataDir, ...sqlite } = await openSqlite(DEFAULT_LIMITS)
  t.after(() => sqlite.close())
  const at = { app: sqlite.app, collection: 'c' }
  const save = (id: number, text = `{"_id":${id}}`): Promise<unknown> =>
    sqlite.store.saveDocuments({ ...at, permitted: ANYTHING, documents: [{ id, text }] })
  const count = async (q = '{}'): Promise<number> =>
    sqlite.store.countDocuments({ ...at, filter: filterOf(q) })
  /** One that has staged all of its documents. */
  const staged = async () => {
    const begun = await sqlite.store.beginImport({ ...at, ...TERMS })
    await begun.add(many())
    await begun.add(packDocuments([]))
    return begun
  }
  /** What the app's file has beside its collections, their indexes and what every file has. */
  const leftovers = async (): Promise<unknown[]> => {
    await sqlite.store.sweepCollections(at.app)
    const connection = new Connection(appFile(dataDir, at.app), 'reader')
    try {
      checkCatalog(connection)
      const sql = `SELECT name FROM collections WHERE name <> 'c' UNION ALL
        SELECT name FROM sqlite_schema WHERE type = 'trigger' UNION ALL SELECT name FROM imports`
      return connection.prepare(sql).all()
    } finally {
      connection.close()
    }
  }
  return { ...sqlite, dataDir, at, save, count, staged, leftovers }
}

describe('an import of many documents', () => {
  it('is refused where another one into the same collection is under way, and not where it has ended', async (t) => {
    const { store, at, staged, count } = await opened(t)
    const first = await staged()
    const second = await store.beginImport({ ...at, ...TERMS })
    await second.add(many())
    await assert.rejects(second.finish(), { code: 'import_under_way' })
    await first.discard()
    assert.equal((await (await staged()).finish()).created, MANY)
    assert.equal(await count(), MANY)
  })

  it('can be told of nowhere while it is under way', async (t) => {
    const { store, app, save, staged, dataDir } = await opened(t)
    await save(-1)
    const indexes = new SqliteIndexes({ dataDir })
    t.after(() => indexes.close())
    await indexes.createIndex({
      ...{ app, collection: 'c', name: 'n', fields: [{ path: ['n'], direction: 1 }] },
      ...{ isUnique: false, isAutomatic: false, now: 0 },
    })
    await indexes.finishIndexes(app)
    const before = [await store.listCollections(app), (await store.measureApp(app)).collections]
    const listed = await indexes.listIndexes(app)
    const begun = await staged()
    assert.deepEqual([await store.listCollections(app), (await store.measureApp(app)).collections], before)
    assert.deepEqual(await indexes.listIndexes(app), listed)
    await begun.finish()
    const [index] = await indexes.listIndexes(app)
    assert.deepEqual([index?.state, index?.builtDocuments], ['ready', MANY + 1])
  })

  it('ends with nothing where the collection is dropped meanwhile', async (t) => {
    const { store, at, save, staged, count, leftovers } = await opened(t)
    await save(-1)
    const begun = await staged()
    await store.dropCollection(at)
    await assert.rejects(begun.finish(), { code: 'import_interrupted', message: /dropped/ })
    assert.equal(await count(), 0)
    assert.deepEqual(await leftovers(), [])
  })

  it('is nothing after a stop, and what it staged goes with the next start', async (t) => {
    const { reopen, at, save, staged, dataDir } = await opened(t)
    await save(-1)
    await staged()
    const { store } = await reopen()
    t.after(() => store.close())
    assert.equal(await store.countDocuments({ ...at, filter: filterOf('{}') }), 1)
    assert.equal((await store.leftWork(at.app)).collections, true)
    await store.sweepCollections(at.app)
    assert.equal((await store.leftWork(at.app)).collections, false)
    const connection = new Connection(appFile(dataDir, at.app), 'reader')
    t.after(() => connection.close())
    checkCatalog(connection)
  })

  it('leaves nothing behind when it is finished, or discarded', async (t) => {
    const { save, staged, leftovers, store, at } = await opened(t)
    await save(-1)
    await (await staged()).discard()
    assert.deepEqual(await leftovers(), [])
    await (await staged()).finish()
    assert.deepEqual(await leftovers(), [])
    const replacing = await store.beginImport({ ...at, onConflict: 'replace', skipsRefused: false })
    await replacing.add(many('again'))
    assert.deepEqual(await replacing.finish(), { created: 0, replaced: MANY, skipped: 0, refused: 0 })
    assert.deepEqual(await leftovers(), [])
  })

  it('replaces what was read before, also where that is answered from memory', async (t) => {
    const { store, at, save, count } = await opened(t)
    await save(1, '{"_id":1,"old":1}')
    const get = async (): Promise<string | undefined> => store.getDocument({ ...at, ids: [1] })
    const find = async (): Promise<string> =>
      textOf(await store.findDocuments({ ...at, filter: filterOf('{"old":1}'), sort: [], skip: 0, limit: 9 }))
    for (let n = 0; n < 3; n++)
      assert.deepEqual([await get(), await find()], ['{"_id":1,"old":1}', '[{"_id":1,"old":1}]'])
    const replacing = await store.beginImport({ ...at, onConflict: 'replace', skipsRefused: false })
    await replacing.add(many())
    await replacing.finish()
    assert.deepEqual([await get(), await find(), await count()], ['{"_id":1,"n":1,"p":""}', '[]', MANY])
  })

  it('leaves room that a scan and an estimate of sizes pass over', async (t) => {
    const { store, app, save, staged, count } = await opened(t)
    await save(-1, `{"_id":-1,"n":"text"}`)
    await (await staged()).finish()
    const before = process.cpuUsage()
    assert.equal(await count('{"n":{"$regex":"^t"}}'), 1)
    const { user, system } = process.cpuUsage(before)
    // Of the processor, with the storage threads; in windows of 32,000 row ids it would be seconds.
    assert.ok(user + system < 500_000, `${user + system} µs`)
    const [size] = (await store.measureApp(app)).collections
    // As JSONB each has 18 to 21 bytes.
    assert.ok(Math.abs(size!.approximateBytes / MANY - 20) < 3, `${size!.approximateBytes / MANY} bytes`)
  })

  it('leaves nothing half where there is no room for it, and goes when there is', () => {
    const engine = new SqliteEngine({ stepMs: 0 })
    const { connection } = engine
    try {
      engine.write({
        kind: 'save',
        ...AT,
        permitted: ANYTHING,
        documents: [{ id: 'a', text: '{"_id":"a"}' }],
      })
      const { app, collection } = AT
      const staging = engine.write({ kind: 'import', step: 'begin', app, collection }) as number
      const [pages] = connection.row<[number]>('PRAGMA page_count')!
      connection.execute(`PRAGMA max_page_count = ${pages + 4}`)
      const documents = many('x'.repeat(500))
      const add = (from: number) =>
        engine.write({
          ...{ kind: 'import', step: 'add', app, staging, ...TERMS },
          documents: slicePacked(documents, from, MANY),
        }) as AddedDocuments
      assert.throws(
        () => {
          for (let from = 0; from < MANY; ) from += add(from).taken
        },
        { code: 'store_unavailable' },
      )
      connection.execute('PRAGMA max_page_count = 1000000')
      engine.write({ kind: 'import', step: 'discard', app, staging })
      while (engine.sweep()) {}
      checkCatalog(connection)
      assert.deepEqual(connection.prepare('SELECT name, documents FROM collections').all(), [['c', 1]])
    } finally {
      engine.close()
    }
  })

  it('is swept away in steps that end at a few long documents', () => {
    const engine = new SqliteEngine({ stepMs: 0 })
    try {
      const { app, collection } = AT
      const staging = engine.write({ kind: 'import', step: 'begin', app, collection }) as number
      const text = 'x'.repeat(100_000)
      for (let n = 0; n < 9; n++)
        engine.write({
          ...{ kind: 'import', step: 'add', app, staging, ...TERMS },
          documents: packDocuments([{ id: n, text: `{"_id":${n},"text":"${text}"}` }]),
        })
      engine.write({ kind: 'import', step: 'discard', app, staging })
      assert.equal(engine.sweep(), true)
      const left = engine.connection.row<[number]>(`SELECT count(*) FROM c${staging}`)
      // After 256 KiB.
      assert.deepEqual(left, [6])
      while (engine.sweep()) {}
      checkCatalog(engine.connection)
    } finally {
      engine.close()
    }
  })

  it('is not lost where a step waits for longer than a write may take, as one that is done in one go is', () => {
    const engine = new SqliteEngine()
    try {
      const { app, collection } = AT
      const documents = packDocuments([{ id: 1, text: '{"_id":1}' }])
      const at = { kind: 'import', app, collection, ...TERMS } as const
      const late = (request: ImportRequest): unknown =>
        engine.write(request, monotonicMs() - 2 * DEFAULT_LIMITS.queryDeadlineMs)
      assert.throws(() => late({ ...at, step: 'whole', documents: [documents] }), {
        code: 'deadline_exceeded',
      })
      const staging = late({ ...at, step: 'begin' }) as number
      late({ ...at, step: 'add', staging, documents })
      const { counts } = late({ ...at, step: 'finish', staging }) as ImportResult
      assert.deepEqual(counts, { created: 1, replaced: 0, skipped: 0, refused: 0 })
    } finally {
      engine.close()
    }
  })
})
