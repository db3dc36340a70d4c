import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import type { JsonObject, JsonValue } from '../src/json/value.ts'
import type { SortField } from '../src/query/ast.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf, updateOf } from './contract-harness.ts'
import { AT, documentsFrom, SqliteEngine } from './sqlite-engine.ts'

const engine = new SqliteEngine()
after(() => engine.close())

function by(name: string, direction: 1 | -1 = 1): SortField[] {
  return [{ path: name.split('.'), direction }]
}

/** How many statements something runs on the writer's connection, which is the work that it does there. */
function statements(t: TestContext, work: () => void): number {
  const { connection } = engine
  const spied = (['run', 'row', 'prepare'] as const).map((name) => t.mock.method(connection, name).mock)
  work()
  const calls = spied.map((spy) => spy.callCount())
  for (const spy of spied) spy.restore()
  return calls.reduce((sum, count) => sum + count)
}

/** How many texts something turns into bytes, as the keys of an index are made of them. */
function textsEncoded(t: TestContext, work: () => void): number {
  const spy = t.mock.method(Buffer, 'from').mock
  work()
  const calls = spy.callCount()
  spy.restore()
  return calls
}

function withTexts(count: number, others: readonly [string, JsonValue][] = []): JsonObject[] {
  const texts = Array.from({ length: count }, (_, n) => `text ${n}`)
  return documentsFrom([new Map<string, JsonValue>([['a', texts], ...others])])
}

describe('a document with a long array in an indexed field', () => {
  it(
    'has no more keys made than it may have, of what it was and of what it is',
    engine.alone((t: TestContext) => {
      engine.save(withTexts(20_000))
      engine.addIndex('a', by('a'))
      assert.ok(textsEncoded(t, () => engine.save(withTexts(19_999))) < 5000)
      assert.ok(textsEncoded(t, () => engine.write({ kind: 'deleteOne', ...AT, ids: [0] })) < 5000)
      checkCatalog(engine.connection)
    }),
  )

  it(
    'has none made where another field changes',
    engine.alone((t: TestContext) => {
      engine.save(withTexts(900))
      engine.addIndex('a', by('a'))
      const $inc = { ...AT, ids: [0], createId: 0, permitted: ANYTHING, update: updateOf('{"$inc":{"n":1}}') }
      assert.ok(textsEncoded(t, () => engine.write({ kind: 'updateOne', ...$inc, now: 0 })) < 100)
      assert.ok(textsEncoded(t, () => engine.save(withTexts(900, [['n', 2]]))) < 100)
      checkCatalog(engine.connection)
    }),
  )
})

describe('deleting every document of a collection', () => {
  it(
    'takes as many statements for a thousand documents as for one, whatever the indexes',
    engine.alone((t: TestContext) => {
      const cost = (count: number): number => {
        engine.save(documentsFrom(Array.from({ length: count }, (_, n) => new Map([['n', n]]))))
        return statements(t, () => {
          assert.equal(engine.write({ kind: 'deleteMany', ...AT, filter: filterOf('{}') }), count)
        })
      }
      engine.save(documentsFrom([new Map()]))
      engine.addIndex('n', by('n'))
      engine.addIndex('n:-1', by('n', -1))
      cost(1)
      assert.equal(cost(1000), cost(1))
      checkCatalog(engine.connection)
    }),
  )

  it(
    'frees the values of a unique index, and leaves one that is being built where it is',
    engine.alone(() => {
      const documents = documentsFrom([new Map([['n', 1]]), new Map([['n', 2]])])
      engine.save(documents)
      engine.addIndex('n', by('n'), { isUnique: true })
      engine.register('m', by('m'))
      engine.write({ kind: 'deleteMany', ...AT, filter: filterOf('{}') })
      engine.save(documents)
      assert.throws(() => engine.save(documentsFrom([new Map([['n', 1]])], 2)), { code: 'unique_violation' })
      engine.finishIndexes()
      assert.equal(checkCatalog(engine.connection), 2)
    }),
  )
})

describe('building an index', () => {
  it(
    'looks at the clock after each document, so that no other write waits for a second one',
    engine.alone(() => {
      engine.save(documentsFrom([new Map([['n', 1]]), new Map([['n', 2]]), new Map([['n', 3]])]))
      engine.register('n', by('n'))
      const { catalog } = engine.connection
      const built = [0, 1, 2, 3].map(() => {
        const { state, builtTo } = catalog.indexesOf(catalog.collection(AT.collection)!)[0]!
        checkCatalog(engine.connection)
        engine.workOnOneDocument()
        return `${state} ${builtTo}`
      })
      assert.deepEqual(built, ['building 0', 'building 1', 'building 2', 'building 3'])
      assert.equal(catalog.indexesOf(catalog.collection(AT.collection)!)[0]!.state, 'ready')
    }),
  )
})
