import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { stringify } from '../src/json/stringify.ts'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import type { SortField } from '../src/query/ast.ts'
import type {
  DeleteManyRequest,
  UpdateManyRequest,
  WriteRequest,
} from '../src/storage/sqlite/protocol/requests.ts'
import type { SearchBounds } from '../src/storage/sqlite/write/select-write-targets.ts'
import { ANYTHING, filterOf, NOW, updateOf } from './contract-harness.ts'
import { randomCases } from './random-cases.ts'
import { SearchedWrite } from './searched-write.ts'
import { AT, SqliteEngine } from './sqlite-engine.ts'

/** The writer looks for nothing by itself. */
const NEVER_DIRECT: SearchBounds = { directDocuments: 0, directMs: 0, keptChanges: 1000 }

const engine = new SqliteEngine(NEVER_DIRECT)
const forgetful = new SqliteEngine({ ...NEVER_DIRECT, keptChanges: 2 })
after(() => {
  engine.close()
  forgetful.close()
})

// Few ids and values, so that most of what others write changes what matches.
const id = fc.nat(7)
const A: readonly SortField[] = [{ path: ['a'], direction: 1 }]
const digit = fc.nat(2)
const fields = fc.tuple(digit, digit).map(
  ([a, b]): JsonObject =>
    new Map([
      ['a', a],
      ['b', b],
    ]),
)
const query = fc
  .tuple(digit, digit, id, fc.nat(5))
  .map(([a, b, _id, shape]) => QUERIES[shape]!({ a, b, _id }))
const QUERIES: readonly ((given: { a: number; b: number; _id: number }) => string)[] = [
  ({ a }) => `{"a":${a}}`,
  ({ a }) => `{"a":{"$gt":${a}}}`,
  ({ a, b }) => `{"a":{"$not":${a}},"b":{"$lt":${b}}}`,
  ({ a, b }) => `{"a":${a},"b":${b}}`,
  ({ a, _id }) => `{"_id":${_id},"a":${a}}`,
  () => '{"$and":[{"a":{"$gt":0}},{"a":{"$regex":"x"}}]}',
]

const save = fc.array(fc.tuple(id, fields), { minLength: 1, maxLength: 3 }).map((pairs): WriteRequest => {
  const documents = pairs.map(([_id, body]) => ({
    id: _id,
    text: stringify(new Map<string, JsonValue>([['_id', _id], ...body])),
  }))
  return { kind: 'save', ...AT, permitted: ANYTHING, documents }
})
const update = fc
  .oneof(
    fields,
    fc.tuple(fc.constantFrom('a', 'b'), digit).map(([at, n]) => new Map([['$inc', new Map([[at, n]])]])),
  )
  .map((body) => updateOf(stringify(body)))
const updateOne = fc.tuple(id, update).map(
  ([_id, change]): WriteRequest => ({
    kind: 'updateOne',
    ...AT,
    ids: [_id],
    createId: _id,
    permitted: ANYTHING,
    update: change,
    now: NOW,
  }),
)
const deleteOne = id.map((_id): WriteRequest => ({ kind: 'deleteOne', ...AT, ids: [_id] }))
const byQuery = fc.oneof(
  fc.tuple(query, update, fc.boolean(), fc.boolean()).map(
    ([q, change, multi, upsert]): UpdateManyRequest => ({
      kind: 'updateMany',
      ...AT,
      filter: filterOf(q),
      update: change,
      multi,
      // An assigned id differs from store to store.
      upsert: upsert && q.includes('_id'),
      now: NOW,
    }),
  ),
  query.map((q): DeleteManyRequest => ({ kind: 'deleteMany', ...AT, filter: filterOf(q) })),
)
/** What others write meanwhile. */
const write = fc.oneof(
  { weight: 6, arbitrary: save },
  { weight: 4, arbitrary: updateOne },
  { weight: 4, arbitrary: deleteOne },
  { weight: 2, arbitrary: byQuery.map((request): WriteRequest => ({ ...request, isFinal: true })) },
  { weight: 1, arbitrary: fc.constant<WriteRequest>({ kind: 'deleteMany', ...AT, filter: filterOf('{}') }) },
  { weight: 1, arbitrary: fc.constant<WriteRequest>({ kind: 'drop', ...AT }) },
)
const writes = fc.array(write, { maxLength: 3 })

describe('a write by query whose documents a reader finds', () => {
  for (const [name, where] of [
    ['does what it would do by itself, whatever others write meanwhile', engine],
    ['also where what others write is too much to be kept', forgetful],
  ] as const)
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(save, { minLength: 1, maxLength: 4 }),
          byQuery,
          fc.array(writes, { maxLength: 8 }),
          fc.array(writes, { maxLength: 4 }),
          fc.constantFrom(1, 2, 1000),
          fc.boolean(),
          async (before, request, between, together, chunkLength, isIndexed) => {
            try {
              const searched = new SearchedWrite(where, { between, together, chunkLength })
              for (const each of before) await searched.writeBoth([each])
              if (isIndexed) where.addIndex('a', A)
              await searched.run(request)
              await searched.checkDocuments()
            } finally {
              where.write({ kind: 'drop', ...AT })
            }
          },
        ),
        randomCases(1 / 10),
      )
    })
})

/** Documents with the numbers from 1 to a last one. */
function numbered(last: number): WriteRequest {
  const documents = Array.from({ length: last }, (_, index) => ({
    id: index + 1,
    text: `{"_id":${index + 1},"n":${index + 1},"isNew":"yes"}`,
  }))
  return { kind: 'save', ...AT, permitted: ANYTHING, documents }
}

function change(_id: number, text: string): WriteRequest {
  const one = { ids: [_id], createId: _id, update: updateOf(text), permitted: ANYTHING, now: NOW }
  return { kind: 'updateOne', ...AT, ...one }
}

function changeMany(q: string, text: string, multi = true): UpdateManyRequest {
  const many = { filter: filterOf(q), update: updateOf(text), multi, upsert: false, now: NOW }
  return { kind: 'updateMany', ...AT, ...many }
}

async function searchedWrite(where: SqliteEngine, between: readonly (readonly WriteRequest[])[]) {
  where.write({ kind: 'drop', ...AT })
  const searched = new SearchedWrite(where, { between, together: [], chunkLength: 1000 })
  await searched.writeBoth([numbered(20)])
  return searched
}

const MARK_LARGE = changeMany('{"n":{"$gt":15}}', '{"$set":{"large":1}}')

describe('looking for the documents of a write', () => {
  it('is done by one reader where nothing changes', async () => {
    const searched = await searchedWrite(engine, [])
    assert.deepEqual(await searched.run(MARK_LARGE), { matched: 5, modified: 5 })
    assert.deepEqual(searched.calls, ['write', 'findRowIds', 'write found'])
    await searched.checkDocuments()
  })

  it('is repeated twice where the changes meanwhile are too many, and then left to the writer', async () => {
    const many = [1, 2, 3, 4].map((_id) => change(_id, '{"$inc":{"n":10}}'))
    // Before each look of a reader nothing happens, and before each write too much.
    const searched = await searchedWrite(forgetful, [[], many, [], many, [], many])
    assert.deepEqual(await searched.run(MARK_LARGE), { matched: 9, modified: 9 })
    const found = ['findRowIds', 'write found']
    assert.deepEqual(searched.calls, ['write', ...found, ...found, 'findRowIds', 'write found, final'])
    await searched.checkDocuments()
  })

  it('is repeated where the collection was dropped and made anew', async () => {
    const anew: readonly WriteRequest[] = [{ kind: 'drop', ...AT }, numbered(17)]
    const searched = await searchedWrite(engine, [[], anew])
    assert.deepEqual(await searched.run(MARK_LARGE), { matched: 2, modified: 2 })
    assert.deepEqual(searched.calls, ['write', 'findRowIds', 'write found', 'findRowIds', 'write found'])
    await searched.checkDocuments()
  })

  it('is repeated after a mark that another writer thread gave', () => {
    engine.write({ kind: 'drop', ...AT })
    engine.write(numbered(20))
    const found = { mark: { log: 'another', at: 0 }, rowIds: [Float64Array.of(1)], to: 20 }
    assert.ok('mark' in (engine.write({ ...MARK_LARGE, found }) as object))
    assert.ok(
      'mark' in (engine.write({ kind: 'deleteMany', ...AT, filter: MARK_LARGE.filter, found }) as object),
    )
  })

  it('goes on behind the first match where another write took that one', async (t) => {
    const usual = new SqliteEngine()
    t.after(() => usual.close())
    const taken = '{"$set":{"isNew":"no"}}'
    // The writer looks for no pattern by itself, however few the documents are.
    const takeOne = changeMany('{"isNew":{"$regex":"^y.s$"}}', taken, false)
    const searched = await searchedWrite(usual, [[], [change(1, taken), change(2, taken)]])
    assert.deepEqual(await searched.run(takeOne), { matched: 1, modified: 1 })
    assert.deepEqual(searched.calls, ['write', 'findRowIds', 'write found'])
    await searched.checkDocuments()
  })

  it('takes an earlier document that matches by now', async () => {
    const searched = await searchedWrite(engine, [[], [change(3, '{"$set":{"n":100}}')]])
    assert.deepEqual(await searched.run(changeMany('{"n":{"$gt":15}}', '{"$set":{"large":1}}', false)), {
      matched: 1,
      modified: 1,
    })
    assert.deepEqual(searched.calls, ['write', 'findRowIds', 'write found'])
    await searched.checkDocuments()
  })

  it('gives the documents in natural order, so that the first that can not be changed is what is told of', async () => {
    const meanwhile = [change(2, '{"$set":{"n":100,"v":"text"}}')]
    const searched = await searchedWrite(engine, [[], meanwhile])
    await searched.writeBoth([change(17, '{"$set":{"v":1e308}}')])
    const raise = changeMany('{"n":{"$gt":15}}', '{"$mul":{"v":1e308}}')
    assert.equal(await searched.run(raise), 'update_not_applicable')
    await searched.checkDocuments()
  })

  it('ends where nobody waits for the answer any more', async () => {
    const searched = await searchedWrite(engine, [])
    await assert.rejects(searched.runUnwatched(MARK_LARGE, { isCancelled: () => true }), {
      code: 'deadline_exceeded',
    })
    assert.deepEqual(searched.calls, ['write'])
    await searched.checkDocuments()
  })

  it('is not for the few documents of a small collection, of ids, or of an index', async (t) => {
    const usual = new SqliteEngine({ directDocuments: 10, directMs: 1000, keptChanges: 10 })
    t.after(() => usual.close())
    const cases: readonly (readonly [documents: number, q: string, isDirect: boolean])[] = [
      [10, '{"n":{"$gt":5}}', true],
      [11, '{"n":{"$gt":5}}', false],
      [10, '{"isNew":{"$regex":"no"}}', false],
      [11, '{"_id":3,"n":3}', true],
      [11, '{}', true],
    ]
    for (const [documents, q, isDirect] of cases) {
      const searched = await searchedWrite(usual, [])
      usual.write({ kind: 'drop', ...AT })
      usual.write(numbered(documents))
      await searched.runUnwatched(changeMany(q, '{"$set":{"a":1}}'), {})
      assert.equal(searched.calls.length === 1, isDirect, `${documents} documents, ${q}`)
    }
    usual.addIndex('n', [{ path: ['n'], direction: 1 }])
    const searched = await searchedWrite(usual, [])
    usual.addIndex('n', [{ path: ['n'], direction: 1 }])
    await searched.runUnwatched(changeMany('{"n":{"$gt":15}}', '{"$set":{"a":1}}'), {})
    assert.deepEqual(searched.calls, ['write'])
    await searched.runUnwatched(changeMany('{"n":{"$gt":5}}', '{"$set":{"a":1}}'), {})
    assert.deepEqual(searched.calls, ['write', 'write', 'findRowIds', 'write found'])
  })
})
