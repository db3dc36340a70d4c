import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { BinEntry } from '../src/storage/collection-store.ts'
import { dropIndex, registerIndex } from '../src/storage/sqlite/index/index-work.ts'
import type { UpkeepRequest } from '../src/storage/sqlite/protocol/upkeep-requests.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf } from './contract-harness.ts'
import { AT, documentsFrom, SqliteEngine } from './sqlite-engine.ts'

const { app } = AT
const N = [{ path: ['n'], direction: 1 as const }]

function opened(t: TestContext) {
  const engine = new SqliteEngine({ stepMs: 0 })
  t.after(() => engine.close())
  engine.save(documentsFrom(Array.from({ length: 300 }, (_, n) => new Map([['n', n % 50]]))))
  const restore = (id: number, collection = 'c') =>
    engine.write({ kind: 'upkeep', step: 'restore', app, id, collection, now: 0 })
  const rename = (collection: string, to: string) =>
    engine.write({ kind: 'upkeep', step: 'rename', app, collection, to, now: 0 })
  /** Sweeps step by step, and says which tables of documents and indexes there are then. */
  const left = (): unknown[] => {
    while (engine.sweep(-1)) {}
    checkCatalog(engine.connection)
    return engine.connection.prepare("SELECT 1 FROM sqlite_schema WHERE name GLOB '[ci][0-9]*'").all()
  }
  return { engine, restore, rename, left }
}

describe('a collection whose name another one is to get', () => {
  it('makes no room where it has indexes made by hand that the other one lacks, and makes it without them', (t) => {
    const { engine, restore, rename, left } = opened(t)
    engine.addIndex('n', N)
    const { id } = engine.write({
      ...{ kind: 'upkeep', step: 'bin', ...AT, reason: 'empty', by: 'ada', now: 0 },
    } as UpkeepRequest) as BinEntry
    engine.addIndex('m', [{ path: ['m'], direction: 1 }], { isUnique: true })
    const hasIndexes = {
      code: 'collection_exists',
      message: /no documents, but indexes that this one lacks: "m"/,
    }
    assert.throws(() => restore(id), hasIndexes)
    restore(id, 'd')
    assert.throws(() => rename('d', 'c'), hasIndexes)
    dropIndex(engine.connection, { collection: 'c', name: 'm' })
    assert.equal(rename('d', 'c'), 300)
    // Of what made room nothing is left: one table of documents, one of its index.
    assert.equal(left().length, 2)
  })

  it('makes room where it has nothing but indexes that the service made', (t) => {
    const { engine, rename, left } = opened(t)
    const index = { collection: 'e', name: 'n', fields: N, isUnique: false, isAutomatic: true, now: 0 }
    engine.write({ kind: 'save', ...AT, collection: 'e', permitted: ANYTHING, documents: [{ text: '{}' }] })
    registerIndex(engine.connection, index)
    engine.write({ kind: 'deleteMany', ...AT, collection: 'e', filter: filterOf('{}') })
    assert.equal(rename('c', 'e'), 300)
    assert.equal(left().length, 1)
  })
})
