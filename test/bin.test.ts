import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { BinEntry } from '../src/storage/collection-store.ts'
import { packDocuments } from '../src/storage/packed.ts'
import { copyDatabase } from '../src/storage/sqlite/backup/copy-database.ts'
import { rebuildApp } from '../src/storage/sqlite/backup/rebuild-app.ts'
import { Connection } from '../src/storage/sqlite/files/connection.ts'
import { appFile } from '../src/storage/sqlite/files/data-folder.ts'
import { registerIndex } from '../src/storage/sqlite/index/index-work.ts'
import type { SearchRequired } from '../src/storage/sqlite/protocol/requests.ts'
import type { UpkeepRequest } from '../src/storage/sqlite/protocol/upkeep-requests.ts'
import { binEntries } from '../src/storage/sqlite/read/bin-entries.ts'
import { SqliteIndexes } from '../src/storage/sqlite/sqlite-indexes.ts'
import type { AppSize } from '../src/storage/store.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf } from './contract-harness.ts'
import { AT, documentsFrom, SqliteEngine } from './sqlite-engine.ts'

const { app } = AT
const N = [{ path: ['n'], direction: 1 as const }]
const DAY_MS = 24 * 60 * 60 * 1000
const TERMS = { onConflict: 'fail', skipsRefused: false } as const

function opened(t: TestContext, documents = 300, { stepMs = 0 } = {}) {
  const engine = new SqliteEngine({ stepMs })
  t.after(() => engine.close())
  if (documents > 0)
    engine.save(documentsFrom(Array.from({ length: documents }, (_, n) => new Map([['n', n % 50]]))))
  const upkeep = <Result = BinEntry>(request: object): Result =>
    engine.write({ kind: 'upkeep', app, ...request } as UpkeepRequest) as Result
  const toBin = (reason: BinEntry['reason'], more: object = {}): BinEntry =>
    upkeep({ step: 'bin', reason, collection: AT.collection, by: 'ada', now: 0, ...more })
  const restore = (id: number, collection: string = AT.collection): BinEntry =>
    upkeep({ step: 'restore', id, collection, now: 0 })
  const rename = (collection: string, to: string, now = 0): number =>
    upkeep<number>({ step: 'rename', collection, to, now })
  const count = (collection: string, q = '{}'): { count: number; plan: { kind: string } } =>
    engine.read({
      ...{ kind: 'count', app, collection, filter: filterOf(q) },
      ...{ budgetMs: Number.POSITIVE_INFINITY, isForeground: false },
    })
  const size = () => engine.read<AppSize>({ kind: 'size', app }).collections
  /** Names of tables and triggers. */
  const schema = (): unknown[] => {
    const sql =
      "SELECT name FROM sqlite_schema WHERE name GLOB '[ci][0-9]*' OR type = 'trigger' ORDER BY name"
    return (engine.connection.prepare(sql).all() as unknown as [string][]).map(([name]) => name)
  }
  /** Sweeps step by step, and says what is there then. */
  const left = (binnedBefore = -1): unknown[] => {
    while (engine.sweep(binnedBefore)) {}
    checkCatalog(engine.connection)
    return schema()
  }
  return { engine, upkeep, toBin, restore, rename, count, size, schema, left }
}

describe('a collection that goes to the bin', () => {
  it('takes its indexes along, and leaves the same behind where it was emptied', (t) => {
    const { engine, toBin, restore, count, size } = opened(t)
    engine.addIndex('n', N)
    const { id } = toBin('empty')
    assert.deepEqual(size(), [
      { name: 'c', documents: 0, approximateBytes: 0, indexes: 1, automaticIndexes: 0 },
    ])
    engine.save(documentsFrom([new Map([['n', 7]])]))
    assert.deepEqual([count('c', '{"n":7}').plan.kind, count('c', '{"n":7}').count], ['index', 1])
    restore(id, 'd')
    assert.deepEqual([count('d', '{"n":7}').plan.kind, count('d', '{"n":7}').count], ['index', 6])
    checkCatalog(engine.connection)
  })

  it('has its name since it was renamed or brought back, for those who look how long an index was not used', async (t) => {
    const { engine, upkeep, toBin, rename } = opened(t)
    const indexes = new SqliteIndexes({ dataDir: engine.dataDir })
    t.after(() => indexes.close())
    const named = async () =>
      (await indexes.listIndexes(app)).map((each) => [each.collection, each.collectionNamedAt])
    engine.addIndex('n', N)
    assert.deepEqual(await named(), [['c', 0]])
    rename('c', 'd', 5)
    assert.deepEqual(await named(), [['d', 5]])
    const { id } = toBin('empty', { collection: 'd' })
    assert.deepEqual(await named(), [['d', 5]])
    upkeep({ step: 'restore', id, collection: 'd', now: 9 })
    assert.deepEqual(await named(), [['d', 9]])
  })

  it('has an index finished there that was being built, and an empty one has it at once', (t) => {
    const { engine, toBin, restore, count } = opened(t)
    engine.register('n', N)
    engine.workOnOneDocument()
    const { id } = toBin('empty')
    assert.equal(count('c', '{"n":7}').plan.kind, 'index')
    engine.finishIndexes()
    restore(id)
    assert.deepEqual([count('c', '{"n":7}').plan.kind, count('c', '{"n":7}').count], ['index', 6])
  })

  it('keeps a unique index unique, on both sides', (t) => {
    const { engine, toBin, restore } = opened(t, 0)
    engine.addIndex('n', N, { isUnique: true })
    const save = (id: number, n: number) => engine.save(documentsFrom([new Map([['n', n]])], id))
    save(1, 7)
    const { id } = toBin('empty')
    save(2, 7)
    assert.throws(() => save(3, 7), { code: 'unique_violation' })
    toBin('drop')
    restore(id)
    assert.throws(() => save(2, 7), { code: 'unique_violation' })
  })

  it('leaves failed indexes with the documents that they failed on', (t) => {
    const { engine, toBin } = opened(t)
    engine.addIndex('n', N, { isUnique: true })
    toBin('empty')
    engine.save(documentsFrom([new Map([['n', 1]]), new Map([['n', 1]])]))
    checkCatalog(engine.connection)
  })

  it('is out of reach of writes by query, and of reads that were begun before until it is removed', (t) => {
    const { engine, upkeep, toBin, count } = opened(t)
    const filter = filterOf('{"n":{"$regex":"^$"}}')
    const first = engine.read<{ collection: number }>({
      ...{ kind: 'find', ...AT, filter, sort: [], skip: 0, limit: 1000 },
      ...{ budgetMs: 0, isForeground: false },
    })
    const { id } = toBin('empty')
    const unhurried = { budgetMs: Number.POSITIVE_INFINITY, isForeground: false }
    const rest = () =>
      engine.read<{ isGone?: boolean }>({
        ...{ kind: 'find', ...AT, filter, sort: [], skip: 0, limit: 1000, begunIn: first.collection },
        ...unhurried,
      })
    assert.notEqual(first.collection, 0)
    assert.equal(rest().isGone, undefined)
    upkeep({ step: 'remove', id })
    assert.equal(rest().isGone, true)
    assert.equal(engine.write({ kind: 'deleteMany', ...AT, filter: filterOf('{}'), isFinal: true }), 0)
    assert.equal(count('c').count, 0)
  })

  it('has no part in what a reader has found in its place, once it is back', (t) => {
    const { engine, toBin, restore, rename, count } = opened(t, 5000)
    const remove = { kind: 'deleteMany', ...AT, filter: filterOf('{"n":7}') } as const
    const moves = [
      () => restore(toBin('empty').id),
      () => {
        rename('c', 'd')
        rename('d', 'c')
      },
    ]
    for (const move of moves) {
      const { mark } = engine.write(remove) as SearchRequired
      move()
      const nothing = { mark, rowIds: [], to: 1_000_000 }
      assert.ok('mark' in (engine.write({ ...remove, found: nothing }) as SearchRequired))
    }
    assert.equal(count('c', '{"n":7}').count, 100)
  })

  it('and what is written in the same moment stay apart', (t) => {
    const { engine, restore } = opened(t)
    const text = (id: number) => ({ id, text: `{"_id":${id}}` })
    const outcomes = engine.commit([
      { kind: 'save', ...AT, permitted: ANYTHING, documents: [text(1001)] },
      { kind: 'upkeep', step: 'bin', reason: 'drop', ...AT, by: 'ada', now: 0 },
      { kind: 'save', ...AT, permitted: ANYTHING, documents: [text(1002)] },
    ])
    assert.ok(outcomes.every((outcome) => 'value' in outcome))
    // Both saves are one transaction, and the step is the next.
    const { id, documents } = outcomes.map((outcome) =>
      'value' in outcome ? outcome.value : undefined,
    )[2] as BinEntry
    assert.equal(documents, 302)
    restore(id)
    checkCatalog(engine.connection)
  })

  it('is not taken from an import, nor is one brought back into it', (t) => {
    const { engine, toBin, restore, rename, count } = opened(t)
    const { id } = toBin('drop')
    const at = { kind: 'import', ...AT, ...TERMS } as const
    engine.save(documentsFrom([new Map()], 5000))
    const staging = engine.write({ ...at, step: 'begin' }) as number
    const documents = packDocuments([{ id: 6000, text: '{"_id":6000}' }])
    const add = (): unknown => engine.write({ ...at, step: 'add', staging, documents })
    while ((add() as { taken: number }).taken === 0) {}
    const underWay = { code: 'import_under_way' }
    assert.throws(() => toBin('drop'), underWay)
    assert.throws(() => toBin('empty'), underWay)
    assert.throws(() => rename('c', 'd'), underWay)
    assert.throws(() => restore(id), underWay)
    engine.write({ kind: 'save', ...AT, collection: 'e', permitted: ANYTHING, documents: [{ text: '{}' }] })
    assert.throws(() => rename('e', 'c'), underWay)
    restore(id, 'd')
    while ((engine.write({ ...at, step: 'finish', staging }) as { counts?: object }).counts === undefined) {}
    assert.equal(count('c').count, 2)
    assert.equal(toBin('drop').documents, 2)
    checkCatalog(engine.connection)
  })

  it('leaves nothing when it is removed, has been there for its time, or makes room for another', (t) => {
    const { engine, upkeep, toBin, restore, left } = opened(t)
    engine.addIndex('n', N)
    const first = toBin('empty')
    assert.equal(left().length, 4)
    restore(first.id)
    assert.equal(left().length, 2)
    const again = toBin('drop')
    assert.equal(again.id, first.id)
    upkeep({ step: 'remove', id: again.id })
    assert.deepEqual(left(), [])
    engine.save(documentsFrom([new Map()]))
    toBin('drop', { now: DAY_MS })
    assert.equal(left(DAY_MS - 1).length, 1)
    assert.deepEqual(left(DAY_MS), [])
    assert.deepEqual(engine.read({ kind: 'bin', app }), [])
  })

  it('is dropped together with others, and when all of them are empty', (t) => {
    const binned = (stepMs: number) => {
      const { engine, upkeep, toBin, schema } = opened(t, 0, { stepMs })
      for (const n of [1, 2, 3]) {
        engine.addIndex('n', N)
        engine.save(documentsFrom([new Map([['n', n]])]))
        toBin('drop')
      }
      return () => [upkeep<string>({ step: 'sweep', binnedBefore: 0 }), schema().length]
    }
    const atOnce = binned(60_000)
    assert.deepEqual(
      [atOnce(), atOnce()],
      [
        ['emptied', 6],
        ['done', 0],
      ],
    )
    const bySteps = binned(0)
    const steps = Array.from({ length: 13 }, bySteps)
    // Each takes a step to lose its document, and one to be found empty.
    assert.deepEqual(steps.slice(0, 6), Array(6).fill(['emptied', 6]))
    const tablesLeft = [5, 4, 3, 2, 1, 0]
    assert.deepEqual(steps.slice(6), [...tablesLeft.map((left) => ['dropped', left]), ['done', 0]])
  })

  it('has no index made for it by the service under its old name', (t) => {
    const { engine, toBin } = opened(t)
    toBin('drop')
    const automatic = { collection: 'c', name: 'n', fields: N, isUnique: false, isAutomatic: true, now: 0 }
    assert.throws(() => registerIndex(engine.connection, automatic), { code: 'index_not_found' })
  })

  it('stays in a copy of everything, and out of an app that is made of one', async (t) => {
    const { engine, toBin } = opened(t)
    engine.addIndex('n', N)
    const entry = toBin('empty')
    engine.save(documentsFrom([new Map()]))
    const [copy, rebuilt] = ['copy', 'rebuilt'].map((name) => join(engine.dataDir, `${name}.sqlite`))
    assert.equal(await copyDatabase(appFile(engine.dataDir, app), copy!), true)
    assert.deepEqual(rebuildApp(copy!, rebuilt!, DEFAULT_LIMITS), { collections: 1, documents: 1 })
    for (const [file, entries] of [
      [copy!, [entry]],
      [rebuilt!, []],
    ] as const) {
      const connection = new Connection(file, 'reader')
      t.after(() => connection.close())
      checkCatalog(connection)
      assert.deepEqual(binEntries(connection), entries)
    }
  })

  it('can be one of a file that a version without bins has made', (t) => {
    const { engine, toBin, restore, count } = opened(t)
    engine.connection.execute(
      'DROP TABLE bin; ALTER TABLE collections DROP COLUMN named_at; PRAGMA user_version = 3',
    )
    new Connection(appFile(engine.dataDir, app), 'writer').close()
    const { id } = toBin('drop')
    restore(id)
    assert.equal(count('c').count, 300)
  })
})
