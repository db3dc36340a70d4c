import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { parseJson } from '../src/json/exact.ts'
import type { JsonObject } from '../src/json/value.ts'
import { parseFilter } from '../src/query/parse.ts'
import { parseProjection } from '../src/query/projection.ts'
import { parseSort } from '../src/query/sort.ts'
import { DEFERRED, type RowIdsChunk, type ScanChunk } from '../src/storage/sqlite/protocol/requests.ts'
import { FOREGROUND_DOCUMENTS, FOREGROUND_ENTRIES } from '../src/storage/sqlite/read/foreground-budget.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

const MANY = FOREGROUND_ENTRIES + 4000
/** So few that a foreground reader may look at all of them, and more, but few enough for an index to be of use. */
const FEW = 10
const SOME = 5000

const engine = new SqliteEngine()
after(() => engine.close())

engine.save(
  Array.from(
    { length: MANY },
    (_, n): JsonObject =>
      new Map<string, string | number>([
        ['_id', n],
        ['number', n],
        ['part', n < FEW ? 'few' : n < FEW + SOME ? 'some' : n],
        ['text', `t${n}`],
      ]),
  ),
)
engine.addIndex('part_1', [{ path: ['part'], direction: 1 }])
engine.addIndex('number_1', [{ path: ['number'], direction: 1 }])

const filterOf = (query: string) => parseFilter(parseJson(query, DEFAULT_LIMITS), DEFAULT_LIMITS)

function find(query: string, { sort = '{}', limit = 10, skip = 0, isForeground = true } = {}) {
  const order = sort === '{}' ? [] : parseSort(parseJson(sort, DEFAULT_LIMITS), DEFAULT_LIMITS)
  const which = { ...AT, filter: filterOf(query), sort: order, skip, limit }
  return engine.read<ScanChunk | typeof DEFERRED>({ kind: 'find', ...which, budgetMs: 30_000, isForeground })
}

function count(query: string, isForeground = true) {
  const request = { ...AT, filter: filterOf(query), budgetMs: 30_000, isForeground }
  return engine.read<{ count: number; done: boolean } | typeof DEFERRED>({ kind: 'count', ...request })
}

describe('a foreground reader', () => {
  const long: [what: string, query: string, options: Parameters<typeof find>[1]][] = [
    ['a sort of everything', '{}', { sort: '{"text":1}' }],
    ['a sort of all that an index finds', '{"part":"some"}', { sort: '{"text":1}' }],
    [
      'what an index finds much of, with more to be asked of each',
      '{"part":"some","text":"t7"}',
      { limit: 9999 },
    ],
    ['so long a part of an index', '{}', { sort: '{"number":1}', limit: MANY }],
    ['the end of a long index', '{}', { sort: '{"number":1}', skip: MANY - 5 }],
    ['a walk through an index on which little matches', '{"text":"none"}', { sort: '{"number":1}' }],
  ]
  for (const [what, query, options] of long)
    it(`defers ${what}, which a background reader answers`, () => {
      assert.equal(find(query, options), DEFERRED)
      assert.notEqual(find(query, { ...options, isForeground: false }), DEFERRED)
    })

  it('defers to count more than it goes through, with an index and with documents to be looked at', () => {
    const all = '{"number":{"$gte":0}}'
    assert.equal(count(all), DEFERRED)
    assert.equal(count('{"part":"some","text":"t7"}'), DEFERRED)
    const plan = { kind: 'index', index: 'number_1', examined: MANY }
    const collection = engine.connection.catalog.collection(AT.collection)!.id
    assert.deepEqual(count(all, false), { count: MANY, after: 0, done: true, plan, collection })
  })

  const quick: [what: string, query: string, options: Parameters<typeof find>[1], found: number][] = [
    ['one document', '{"_id":7}', {}, 1],
    ['a page in natural order', '{}', {}, 10],
    ['a page in the order of an index', '{}', { sort: '{"number":-1}' }, 10],
    ['what an index finds little of, in any order', '{"part":"few"}', { sort: '{"text":-1}' }, FEW],
    ['what an index finds little of, with more to be asked', '{"part":"few","text":"t3"}', {}, 1],
  ]
  for (const [what, query, options, found] of quick)
    it(`answers ${what} as a background reader does`, () => {
      const chunk = find(query, options) as ScanChunk
      assert.equal(chunk.found, found)
      assert.deepEqual(chunk, find(query, { ...options, isForeground: false }))
    })

  it('counts little in an index, and all that there is', () => {
    assert.equal((count('{"part":"few"}') as { count: number }).count, FEW)
    assert.equal((count('{}') as { count: number }).count, MANY)
  })

  it('begins to look through a collection, and leaves the rest', () => {
    const { after: rowId, done, found } = find('{"text":"none"}') as ScanChunk
    assert.equal(found, 0)
    assert.ok(rowId >= FOREGROUND_DOCUMENTS)
    assert.equal(done, rowId >= MANY)
  })
})

describe('a background reader', () => {
  it('gives up at the deadline also where nothing matches', () => {
    const sort = [{ path: ['text'], direction: 1 as const }]
    const which = {
      ...AT,
      filter: filterOf('{"text":"none"}'),
      sort,
      skip: 0,
      limit: 10,
      isForeground: false,
    }
    assert.throws(() => engine.read({ kind: 'find', ...which, budgetMs: -1 }), { code: 'deadline_exceeded' })
  })

  it('passes over what was deleted at the beginning, and does not count it', () => {
    const last = MANY - 3
    const filter = filterOf(`{"number":{"$lt":${last}}}`)
    assert.equal(engine.write({ kind: 'deleteMany', ...AT, filter, isFinal: true }), last)
    const chunk = find('{"text":"none"}', { isForeground: false }) as ScanChunk
    assert.deepEqual([chunk.done, chunk.plan], [true, { kind: 'scan', examined: 3 }])
  })
})

describe('a foreground reader whose time is over', () => {
  // Large documents, and patterns on long texts, are as slow as that.
  const late = new SqliteEngine(undefined, -1)
  after(() => late.close())
  const all = { ...AT, filter: filterOf('{}'), sort: [], skip: 0, limit: 100, budgetMs: 30_000 }
  const MANY_IDS = Array.from({ length: 50 }, (_, n) => n)
  const number = [{ path: ['number'], direction: 1 as const }]
  const text = [{ path: ['text'], direction: 1 as const }]
  late.save(
    Array.from(
      { length: 100 },
      (_, n): JsonObject =>
        new Map<string, string | number>([
          ['_id', n],
          ['number', n],
          ['text', `t${n}`],
        ]),
    ),
  )
  late.addIndex('number_1', number)

  const long: [what: string, request: object][] = [
    ['a filter', { kind: 'find', ...all, filter: filterOf('{"text":"none"}') }],
    ['a pattern', { kind: 'find', ...all, filter: filterOf('{"text":{"$regex":"^t.*x$"}}') }],
    ['many ids', { kind: 'find', ...all, filter: filterOf(`{"_id":{"$in":[${MANY_IDS}]}}`) }],
    ['a sort', { kind: 'find', ...all, sort: text }],
    ['an index', { kind: 'find', ...all, filter: filterOf('{"number":{"$gte":0},"text":"none"}') }],
    ['a count', { kind: 'count', ...AT, filter: filterOf('{"text":"none"}'), budgetMs: 30_000 }],
  ]
  const read = (request: object, isForeground: boolean) =>
    late.read<ScanChunk | typeof DEFERRED>({ ...request, isForeground } as never)
  for (const [what, request] of long)
    it(`defers ${what}, which a background reader goes on with`, () => {
      assert.equal(read(request, true), DEFERRED)
      assert.notEqual(read(request, false), DEFERRED)
    })

  it('defers a list of fields', () => {
    const projection = parseProjection(parseJson('{"text":1}', DEFAULT_LIMITS), DEFAULT_LIMITS)
    assert.equal(read({ kind: 'find', ...all, projection }, true), DEFERRED)
  })

  it('fetches one of the documents that it has found, and leaves the others', () => {
    const chunk = read({ kind: 'find', ...all, sort: number }, true) as unknown as RowIdsChunk
    assert.deepEqual([chunk.found, chunk.rowIds.length, chunk.isLast], [1, 99, true])
  })
})
