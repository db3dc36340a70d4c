import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { SortField } from '../src/query/ast.ts'
import { parseSort } from '../src/query/sort.ts'
import type { IndexRecord } from '../src/storage/index-store.ts'
import { Connections } from '../src/storage/sqlite/files/connections.ts'
import { workOnIndexes } from '../src/storage/sqlite/index/index-work.ts'
import { SqliteIndexes } from '../src/storage/sqlite/sqlite-indexes.ts'
import { ContractHarness, filterOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

let harness: ContractHarness
let indexes: SqliteIndexes
let dataDir: string

before(async () => {
  const opened = await openSqlite(DEFAULT_LIMITS)
  dataDir = opened.dataDir
  harness = new ContractHarness(opened)
  indexes = new SqliteIndexes({ dataDir })
})
after(async () => {
  await indexes.close()
  await harness.close()
})
beforeEach(() => harness.fresh())

function fieldsOf(...names: string[]): SortField[] {
  return names.map((name) => ({ path: name.split('.'), direction: 1 }))
}

function register(names: readonly string[], isUnique = false): Promise<void> {
  const index = { name: names.join(','), fields: fieldsOf(...names), isUnique, isAutomatic: false, now: 0 }
  return indexes.createIndex({ ...harness.at, ...index })
}

async function create(names: readonly string[], isUnique = false): Promise<IndexRecord> {
  await register(names, isUnique)
  await indexes.finishIndexes(harness.app)
  return (await record(names.join(',')))!
}

async function record(name: string): Promise<IndexRecord | undefined> {
  const all = await indexes.listIndexes(harness.app)
  return all.find((index) => index.collection === harness.at.collection && index.name === name)
}

const VIOLATION = { code: 'unique_violation' }

describe('a unique index', () => {
  it('refuses a save, a bulk save, a replacement, modifiers and an upsert that would give two documents one value', async () => {
    await harness.save('{"_id":1,"email":"a@b.c"}', '{"_id":2,"email":"d@e.f"}')
    await create(['email'], true)
    await assert.rejects(harness.save('{"_id":3,"email":"a@b.c"}'), VIOLATION)
    await assert.rejects(harness.save('{"_id":3,"email":"x"}', '{"_id":4,"email":"x"}'), VIOLATION)
    await assert.rejects(harness.save('{"_id":2,"email":"a@b.c"}'), VIOLATION)
    await assert.rejects(harness.updateMany('{"_id":2}', '{"email":"a@b.c"}'), VIOLATION)
    await assert.rejects(harness.updateMany('{"_id":2}', '{"$set":{"email":"a@b.c"}}'), VIOLATION)
    await assert.rejects(harness.updateMany('{}', '{"$set":{"email":"same"}}'), VIOLATION)
    await assert.rejects(
      harness.updateMany('{"none":1}', '{"$set":{"email":"a@b.c"}}', { upsert: true }),
      VIOLATION,
    )
    await assert.rejects(harness.updateOne('new', '{"$set":{"email":"a@b.c"}}'), VIOLATION)
    assert.equal(await harness.find('{}'), '[{"_id":1,"email":"a@b.c"},{"_id":2,"email":"d@e.f"}]')
    assert.equal(await harness.find('{"email":"same"}'), '[]')
  })

  it('says which document of a save was refused, the later one of two in it', async () => {
    await harness.save('{"_id":1,"email":"taken"}')
    await create(['email'], true)
    for (const [texts, documentIndex] of [
      [['{"email":"a"}', '{"email":"b"}', '{"email":"taken"}', '{"email":"c"}'], 2],
      [['{"email":"a"}', '{"email":"b"}', '{"_id":5}', '{"email":"a"}', '{"email":"b"}'], 3],
      [['{"_id":1,"email":"mine"}', '{"_id":2,"email":"taken"}', '{"_id":3,"email":"taken"}'], 2],
      // What a document gave up again in the same save is not held against it.
      [['{"email":"a"}', '{"_id":7,"email":"taken"}', '{"_id":7,"email":"b"}', '{"email":"a"}'], 3],
      [['{"email":"taken"}', '{"_id":7,"email":"taken"}', '{"_id":7,"email":"b"}'], 0],
      [['{"email":"taken"}'], 0],
    ] as const)
      await assert.rejects(harness.save(...texts), { ...VIOLATION, documentIndex }, texts.join())
    const many = JSON.stringify(Array.from({ length: 1001 }, (_, n) => n))
    const tooMany = { code: 'too_many_values', documentIndex: 1 }
    await assert.rejects(harness.save('{"_id":2}', `{"_id":3,"email":${many}}`), tooMany)
    assert.equal(await harness.find('{}'), '[{"_id":1,"email":"taken"}]')
  })

  it('names the index and the field, and not the value', async () => {
    await harness.save('{"_id":1,"email":"secret"}')
    await create(['email'], true)
    await assert.rejects(harness.save('{"_id":2,"email":"secret"}'), (error: Error) => {
      assert.match(error.message, /"email"/)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })

  it('does not count documents without the field, and counts null', async () => {
    await create(['a'], true)
    await harness.save('{"_id":1}', '{"_id":2}', '{"_id":3,"a":null}')
    await assert.rejects(harness.save('{"_id":4,"a":null}'), VIOLATION)
  })

  it('takes 1, 1.0 and 1e0 for one value, and true and "1" for others', async () => {
    await create(['a'], true)
    await harness.save('{"_id":1,"a":1}', '{"_id":2,"a":true}', '{"_id":3,"a":"1"}')
    await assert.rejects(harness.save('{"_id":4,"a":1.0}'), VIOLATION)
    await assert.rejects(harness.save('{"_id":4,"a":1e0}'), VIOLATION)
    await harness.save('{"_id":5,"a":9007199254740993}', '{"_id":6,"a":9007199254740992}')
  })

  it('compares arrays by their elements, between documents and not within one', async () => {
    await create(['tags'], true)
    await harness.save('{"_id":1,"tags":["a","b","a"]}', '{"_id":2,"tags":[]}', '{"_id":3,"tags":[]}')
    await assert.rejects(harness.save('{"_id":4,"tags":["c","b"]}'), VIOLATION)
    await assert.rejects(harness.save('{"_id":4,"tags":"b"}'), VIOLATION)
    await harness.save('{"_id":4,"tags":["c"]}')
  })

  it('lets values change hands within one write', async () => {
    await create(['n'], true)
    await harness.save('{"_id":1,"n":1}', '{"_id":2,"n":2}', '{"_id":3,"n":3}')
    assert.equal((await harness.updateMany('{}', '{"$inc":{"n":1}}')).modified, 3)
    assert.equal(await harness.find('{"n":2}'), '[{"_id":1,"n":2}]')
  })

  it('lets one of many that ask for a value at once have it', async () => {
    await create(['seat'], true)
    const asked = Array.from({ length: 50 }, (_, id) => harness.save(`{"_id":${id},"seat":"1A"}`))
    const outcomes = await Promise.allSettled(asked)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((JSON.parse(await harness.find('{"seat":"1A"}')) as unknown[]).length, 1)
  })

  it('is none where documents have the same value, and says how many and shows five', async () => {
    const texts = Array.from({ length: 20 }, (_, id) => `{"_id":${id},"a":${id % 10}}`)
    await harness.save(...texts)
    const failed = await create(['a'], true)
    assert.equal(failed.state, 'failed')
    assert.equal(failed.problem?.documents, 10)
    assert.deepEqual(failed.problem?.examples[0], { value: '0', ids: ['0', '10'] })
    assert.equal(failed.problem?.examples.length, 5)
    await harness.save('{"_id":20,"a":1}')
    assert.equal(JSON.parse(await harness.find('{"a":1}')).length, 3)
  })

  it('refuses a document with more values than it can watch', async () => {
    await create(['a'], true)
    const many = JSON.stringify(Array.from({ length: 1001 }, (_, n) => n))
    await assert.rejects(harness.save(`{"_id":1,"a":${many}}`), { code: 'too_many_values' })
  })
})

describe('an index that is being built', () => {
  it('holds every document in the end, whatever was written meanwhile', async () => {
    const count = 3000
    await harness.save(...Array.from({ length: count }, (_, id) => `{"_id":${id},"a":${id % 100}}`))
    await register(['a'])
    const builder = new Connections({ dataDir, mode: 'writer', limit: 1 })
    let turns = 0
    for (; workOnIndexes(builder.to(harness.app), 1); turns++) {
      await harness.save(`{"_id":${count + turns},"a":7}`)
      await harness.updateMany(`{"_id":${turns}}`, '{"$set":{"a":-1}}')
      await harness.updateMany(`{"_id":${count - 1 - turns}}`, '{"$set":{"a":-2}}')
      await harness.store.deleteDocument({ ...harness.at, ids: [count / 2 + turns] })
    }
    builder.closeAll()
    assert.ok(turns > 1, 'no write came in between')
    assert.equal((await record('a'))?.state, 'ready')
    const queries = ['{"a":7}', '{"a":-1}', '{"a":{"$lt":0}}', '{"a":{"$gte":98}}']
    const withIndex = await Promise.all(queries.map((q) => harness.find(q, { limit: 100_000 })))
    await indexes.dropIndex({ ...harness.at, name: 'a' })
    await indexes.finishIndexes(harness.app)
    const without = await Promise.all(queries.map((q) => harness.find(q, { limit: 100_000 })))
    assert.deepEqual(withIndex, without)
    assert.equal((JSON.parse(without[1]!) as unknown[]).length, turns)
  })

  it('is not read before it is ready, and goes on where a crash left it', async () => {
    await harness.save(...Array.from({ length: 3000 }, (_, id) => `{"_id":${id},"a":${id}}`))
    await register(['a'])
    const dying = new Connections({ dataDir, mode: 'writer', limit: 1 })
    assert.equal(workOnIndexes(dying.to(harness.app), 1), true)
    dying.closeAll()
    const half = await record('a')
    assert.equal(half?.state, 'building')
    assert.ok(half.builtDocuments > 0 && half.builtDocuments < 3000)
    assert.equal(await harness.find('{"a":2999}'), '[{"_id":2999,"a":2999}]')
    await assert.rejects(register(['a'], true), { code: 'index_exists' })
    await register(['a'])
    assert.equal((await record('a'))?.builtDocuments, half.builtDocuments)
    await indexes.finishIndexes(harness.app)
    assert.equal((await record('a'))?.state, 'ready')
    assert.equal(await harness.find('{"a":2999}'), '[{"_id":2999,"a":2999}]')
  })

  it('belongs to who asks for it by hand, where the service had begun it', async () => {
    await harness.save('{"_id":1,"a":1}')
    const index = { name: 'a', fields: fieldsOf('a'), isUnique: false, now: 0 }
    await indexes.createIndex({ ...harness.at, ...index, isAutomatic: true })
    assert.equal((await create(['a'])).isAutomatic, false)
  })

  it('that the service had finished is taken over by who asks for it by hand, as it is', async () => {
    await harness.save('{"_id":1,"a":1}', '{"_id":2,"a":1}')
    const index = { ...harness.at, name: 'a', fields: fieldsOf('a'), isUnique: false, now: 0 }
    await indexes.createIndex({ ...index, isAutomatic: true })
    await indexes.finishIndexes(harness.app)
    const { bytes, state } = (await record('a'))!
    assert.equal(state, 'ready')
    await assert.rejects(indexes.createIndex({ ...index, isAutomatic: true }), { code: 'index_exists' })
    await register(['a'])
    // Ready at once: nothing was built anew.
    const taken = await record('a')
    assert.deepEqual(
      { state: taken?.state, isAutomatic: taken?.isAutomatic, bytes: taken?.bytes },
      { state: 'ready', isAutomatic: false, bytes },
    )
    await assert.rejects(register(['a']), { code: 'index_exists' })
    await assert.rejects(register(['a'], true), { code: 'index_exists' })
  })

  it('that the service had begun or finished is made anew where it has to be unique', async () => {
    for (const isFinished of [false, true]) {
      harness.fresh()
      await harness.save('{"_id":1,"a":1}', '{"_id":2,"a":2}')
      const index = { ...harness.at, name: 'a', fields: fieldsOf('a'), isUnique: false, now: 0 }
      await indexes.createIndex({ ...index, isAutomatic: true })
      if (isFinished) await indexes.finishIndexes(harness.app)
      const { isUnique, isAutomatic, state } = await create(['a'], true)
      assert.deepEqual(
        { isUnique, isAutomatic, state },
        { isUnique: true, isAutomatic: false, state: 'ready' },
      )
      await assert.rejects(harness.save('{"_id":3,"a":2}'), VIOLATION)
      assert.equal(await harness.find('{"a":2}'), '[{"_id":2,"a":2}]')
      await assert.rejects(indexes.createIndex({ ...index, isAutomatic: true }), { code: 'index_exists' })
      await assert.rejects(register(['a']), { code: 'index_exists' })
    }
  })

  it('is refused where there is one, and where there are too many', async () => {
    await create(['a'])
    await assert.rejects(register(['a']), { code: 'index_exists' })
    for (let n = 1; n < 64; n++) await register([`f${n}`])
    await assert.rejects(register(['more']), { code: 'too_many_indexes' })
    await assert.rejects(indexes.dropIndex({ ...harness.at, name: 'none' }), { code: 'index_not_found' })
    await harness.store.dropCollection(harness.at)
    assert.equal(await record('a'), undefined)
  })

  it('is counted with what its app holds', async () => {
    await harness.save('{"_id":1,"a":1}')
    await create(['a'])
    const index = { name: 'b', fields: fieldsOf('b'), isUnique: false, now: 0 }
    await indexes.createIndex({ ...harness.at, ...index, isAutomatic: true })
    const { collections } = await harness.store.measureApp(harness.at.app)
    const found = collections.find(({ name }) => name === harness.at.collection)
    assert.deepEqual([found?.indexes, found?.automaticIndexes], [2, 1])
  })
})

describe('an index that is made before the first save', () => {
  it('does not make the collection for those who list them', async () => {
    await create(['a'], true)
    const { app, collection } = harness.at
    assert.ok(!(await harness.store.listCollections(app)).includes(collection))
    await harness.save('{"_id":1,"a":1}')
    assert.ok((await harness.store.listCollections(app)).includes(collection))
    await assert.rejects(harness.save('{"_id":2,"a":1}'), VIOLATION)
    await harness.store.deleteDocuments({ ...harness.at, filter: filterOf('{}') })
    assert.ok((await harness.store.listCollections(app)).includes(collection))
  })
})

describe('a query that an index serves', () => {
  it('says so, and looks at little', async () => {
    await harness.save(
      ...Array.from(
        { length: 5000 },
        (_, id) => `{"_id":${id},"age":${id % 1000},"tags":["t${id % 500}","x"]}`,
      ),
    )
    await create(['age'])
    await create(['tags'])
    const planOf = async (q: string, s = '{}') => {
      const sort = parseSort(new Map(Object.entries(JSON.parse(s) as Record<string, number>)), DEFAULT_LIMITS)
      const { plan } = await indexes.explain({ ...harness.at, filter: filterOf(q), sort, skip: 0, limit: 20 })
      return plan
    }
    assert.deepEqual(await planOf('{"age":7}'), { kind: 'index', index: 'age', examined: 5 })
    assert.deepEqual(await planOf('{"tags":{"$has":"t3"}}'), { kind: 'index', index: 'tags', examined: 10 })
    assert.deepEqual(await planOf('{}', '{"age":1}'), { kind: 'index', index: 'age', examined: 20 })
    assert.equal((await planOf('{"tags":"x"}')).kind, 'scan')
    assert.equal((await planOf('{"other":1}')).kind, 'scan')
    assert.equal((await planOf('{"_id":7}')).kind, 'id')
  })
})
