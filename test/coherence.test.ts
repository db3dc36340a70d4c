import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { targetIds } from '../src/operations/target-ids.ts'
import { filterOf, type OpenedStore, updateOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

const PERMITTED = { create: true, update: true }
const DOCUMENTS = ['a', 'b', '3', '4']

/** What is known of one document's counter: a read may answer from `acknowledged` to `begun`, both included. */
interface Counter {
  acknowledged: number
  begun: number
}

describe('a read that needs no disk', () => {
  let opened: OpenedStore
  before(async () => {
    opened = await openSqlite(DEFAULT_LIMITS)
  })
  after(() => opened.close())

  const idsOf = (id: string) => (/^\d$/.test(id) ? [id, Number(id)] : [id])
  const read = async (collection: string, id: string) => {
    const text = await opened.store.getDocument({ app: opened.app, collection, ids: idsOf(id) })
    return text === undefined ? undefined : (JSON.parse(text) as { n: number }).n
  }
  const increment = (collection: string, id: string) =>
    opened.store.updateDocument({
      app: opened.app,
      collection,
      ids: idsOf(id),
      createId: id,
      permitted: PERMITTED,
      update: updateOf('{"$inc":{"n":1}}'),
      now: 0,
    })
  const incrementAll = (collection: string) =>
    opened.store.updateDocuments({
      app: opened.app,
      collection,
      filter: filterOf('{"n":{"$gte":0}}'),
      update: updateOf('{"$inc":{"n":1}}'),
      multi: true,
      upsert: false,
      now: 0,
    })
  const save = (collection: string, id: string | number, n: number) =>
    opened.store.saveDocuments({
      app: opened.app,
      collection,
      permitted: PERMITTED,
      documents: [{ id, text: `{"_id":${JSON.stringify(id)},"n":${n}}` }],
    })

  it('never answers less than what was acknowledged before it began, nor goes back', async () => {
    const collection = 'counters'
    const counters = new Map<string, Counter>()
    for (const id of DOCUMENTS) {
      await save(collection, /^\d$/.test(id) ? Number(id) : id, 0)
      counters.set(id, { acknowledged: 0, begun: 0 })
    }
    const until = performance.now() + 2000
    let reads = 0
    const reader = async (pause: number): Promise<void> => {
      const seen = new Map<string, number>()
      for (let i = 0; performance.now() < until; i++) {
        const id = DOCUMENTS[i % DOCUMENTS.length]!
        const counter = counters.get(id)!
        const least = Math.max(counter.acknowledged, seen.get(id) ?? 0)
        const n = await read(collection, id)
        assert.ok(
          n !== undefined && n >= least && n <= counter.begun,
          `${id}: ${least} <= ${n} <= ${counter.begun}`,
        )
        seen.set(id, n)
        reads++
        if (i % pause === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const writer = async (
      ids: readonly string[],
      write: () => Promise<unknown>,
      pause: number,
    ): Promise<void> => {
      while (performance.now() < until) {
        for (const id of ids) counters.get(id)!.begun++
        await write()
        for (const id of ids) counters.get(id)!.acknowledged++
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    await Promise.all([
      ...[1, 3, 7, 50].map(reader),
      ...DOCUMENTS.map((id, i) => writer([id], () => increment(collection, id), i)),
      writer(['a'], () => increment(collection, 'a'), 0),
      writer(DOCUMENTS, () => incrementAll(collection), 5),
    ])
    assert.ok(reads > 1000, `only ${reads} reads`)
  })

  it('is gone when the document is, whichever way it goes', async () => {
    const at = { app: opened.app, collection: 'gone' }
    const ways: (() => Promise<unknown>)[] = [
      () => opened.store.deleteDocument({ ...at, ids: ['x'] }),
      () => opened.store.deleteDocuments({ ...at, filter: filterOf('{"n":1}') }),
      () => opened.store.dropCollection(at),
    ]
    for (const way of ways) {
      await save(at.collection, 'x', 1)
      assert.equal(await read(at.collection, 'x'), 1)
      assert.equal(await read(at.collection, 'x'), 1)
      await way()
      assert.equal(await read(at.collection, 'x'), undefined)
    }
  })

  it('tells the text of a number from the number', async () => {
    await save('kinds', 7, 1)
    assert.equal(await read('kinds', '7'), 1)
    await save('kinds', '7', 2)
    assert.equal(await read('kinds', '7'), 2)
    await opened.store.deleteDocument({ app: opened.app, collection: 'kinds', ids: ['7'] })
    assert.equal(await read('kinds', '7'), 1)
  })

  it('knows a number by however its path spells it', async () => {
    const at = { app: opened.app, collection: 'large' }
    for (const path of [
      '4611686018427387904',
      '1e+21',
      '9223372036854776000',
      '-9223372036854775808',
      '0.1',
    ]) {
      const ids = targetIds(path)
      const put = (n: number) =>
        opened.store.saveDocuments({
          ...at,
          permitted: PERMITTED,
          documents: [{ id: ids[1]!, text: `{"_id":${path},"n":${n}}` }],
        })
      for (const n of [1, 2, 3]) {
        await put(n)
        assert.equal(await opened.store.getDocument({ ...at, ids }), `{"_id":${path},"n":${n}}`)
      }
    }
  })

  it('is of a refused write what it was before', async () => {
    const at = { app: opened.app, collection: 'refused' }
    await save(at.collection, 'x', 1)
    assert.equal(await read(at.collection, 'x'), 1)
    const update = updateOf('{"$push":{"n":1}}')
    const change = { ...at, ids: ['x'], createId: 'x', permitted: PERMITTED, update, now: 0 }
    await assert.rejects(opened.store.updateDocument(change), { code: 'update_not_applicable' })
    assert.equal(await read(at.collection, 'x'), 1)
  })

  it('takes no memory for names that hold nothing', async () => {
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 20_000; i++) await read(`nothing-${i}`, 'x')
    globalThis.gc?.()
    assert.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024)
  })
})
