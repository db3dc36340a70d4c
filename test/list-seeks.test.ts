import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { JsonObject } from '../src/json/value.ts'
import { searchOf } from '../src/storage/sqlite/index/index-search.ts'
import { type CountChunk, DEFERRED, type ScanChunk } from '../src/storage/sqlite/protocol/requests.ts'
import { FOREGROUND_ENTRIES, FOREGROUND_SEEKS } from '../src/storage/sqlite/read/foreground-budget.ts'
import { filterOf, NOW, updateOf } from './contract-harness.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

/** More than a foreground reader goes through. */
const DOCUMENTS = FOREGROUND_ENTRIES + 1000
const AS = 100

const engine = new SqliteEngine()
after(() => engine.close())

engine.save(
  Array.from(
    { length: DOCUMENTS },
    (_, n): JsonObject =>
      new Map([
        ['_id', n],
        ['a', n % AS],
        ['b', n],
      ]),
  ),
)
engine.addIndex('ab', [
  { path: ['a'], direction: 1 },
  { path: ['b'], direction: 1 },
])

function numbers(count: number, from = 0): string {
  return JSON.stringify(Array.from({ length: count }, (_, n) => from + n))
}

/** Every value of the one field, and as many of the other as no document has. */
const NOTHING_FOUND = `{"a":{"$in":${numbers(AS)}},"b":{"$in":${numbers(AS, DOCUMENTS)}}}`

/** The columns by which SQLite seeks in the index for a filter. */
function soughtBy(query: string): string {
  const { catalog } = engine.connection
  const [index] = catalog.indexesOf(catalog.collection(AT.collection)!)
  const { where, parameters } = searchOf(index!, filterOf(query))!
  const sql = `EXPLAIN QUERY PLAN SELECT place FROM ${index!.table} WHERE ${where}`
  const plan = engine.connection
    .prepare(sql)
    .all(...parameters)
    .map((row) => String(Object.values(row)[3]))
  return /^SEARCH \w+ USING PRIMARY KEY \((.*)\)$/.exec(plan[0]!)![1]!
}

function count(
  query: string,
  { isForeground = false, budgetMs = 30_000 } = {},
): CountChunk | typeof DEFERRED {
  return engine.read({ kind: 'count', ...AT, filter: filterOf(query), isForeground, budgetMs })
}

function find(query: string, { isForeground = false, budgetMs = 30_000 } = {}): ScanChunk | typeof DEFERRED {
  const which = { ...AT, filter: filterOf(query), sort: [], skip: 0, limit: DOCUMENTS }
  return engine.read({ kind: 'find', ...which, isForeground, budgetMs })
}

function findInOrder(query: string, { budgetMs = 30_000 } = {}): ScanChunk {
  const sort = [{ path: ['a'], direction: 1 as const }]
  const which = { ...AT, filter: filterOf(query), sort, skip: 0, limit: 10 }
  return engine.read({ kind: 'find', ...which, isForeground: false, budgetMs })
}

describe('lists on several fields of an index', () => {
  it('are sought together where they are short, and by the first alone where they are long', () => {
    assert.equal(soughtBy('{"a":{"$in":[1,2]},"b":{"$in":[3,4,5]}}'), 'k0=? AND k1=?')
    assert.equal(soughtBy(`{"a":{"$in":${numbers(20)}},"b":{"$in":${numbers(100)}}}`), 'k0=? AND k1=?')
    assert.equal(soughtBy(`{"a":{"$in":${numbers(21)}},"b":{"$in":${numbers(100)}}}`), 'k0=?')
    assert.equal(soughtBy(`{"a":{"$in":${numbers(5000)}},"b":7}`), 'k0=? AND k1=?')
    assert.equal(soughtBy(`{"a":7,"b":{"$in":${numbers(5000)}}}`), 'k0=? AND k1=?')
    assert.equal(soughtBy(`{"a":{"$in":${numbers(5000)}},"b":{"$gt":7}}`), 'k0=? AND k1>? AND k1<?')
  })

  it('are deferred by a foreground reader where it would look at too much, though nothing is found', () => {
    assert.equal(count(NOTHING_FOUND, { isForeground: true }), DEFERRED)
    const nowhere = `{"a":{"$in":${numbers(FOREGROUND_SEEKS + 1, AS)}}}`
    for (const read of [count, find]) {
      assert.equal(read(nowhere, { isForeground: true }), DEFERRED)
      assert.notEqual(read(nowhere), DEFERRED)
    }
    assert.equal((count(NOTHING_FOUND) as CountChunk).count, 0)
    assert.equal((find(NOTHING_FOUND) as ScanChunk).found, 0)
    assert.equal(findInOrder(NOTHING_FOUND).found, 0)
  })

  it('are given up at the deadline, though nothing is found', () => {
    for (const read of [count, find, findInOrder])
      assert.throws(() => read(NOTHING_FOUND, { budgetMs: -1 }), { code: 'deadline_exceeded' })
  })

  it('are looked for by a reader where a write is for them', () => {
    const filter = filterOf(NOTHING_FOUND)
    const update = {
      ...AT,
      filter,
      update: updateOf('{"$set":{"c":1}}'),
      multi: true,
      upsert: false,
      now: NOW,
    }
    for (const request of [
      { kind: 'deleteMany' as const, ...AT, filter },
      { kind: 'updateMany' as const, ...update },
    ])
      assert.ok(Object.hasOwn(engine.write(request) as object, 'mark'))
  })

  it('find the same as one field after the other', () => {
    const query = `{"a":{"$in":${numbers(50, 1)}},"b":{"$in":${numbers(60, 40)}}}`
    const { plan, text } = findInOrder(query)
    assert.deepEqual(plan, { kind: 'index', index: 'ab', examined: 10 })
    assert.deepEqual(
      JSON.parse(`[${text}]`).map(({ _id }: { _id: number }) => _id),
      [40, 41, 42, 43, 44, 45, 46, 47, 48, 49],
    )
    // 40 to 50 of the 60.
    assert.equal((count(query) as CountChunk).count, 11)
  })
})
