import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { targetIds } from '../src/operations/target-ids.ts'
import type { Projection } from '../src/query/ast.ts'
import { filterOf, type OpenedStore, updateOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

const PERMITTED = { create: true, update: true }
const DOCUMENTS = ['a', 'b', '3', '4']

/**
 * What is known of one document's counter: a read may answer from the greater of `acknowledged` and `seen` to `begun`,
 * all included.
 */
interface Counter {
  acknowledged: number
  /** The greatest that any read has answered. */
  seen: number
  begun: number
}

/** With it, a read is answered by a storage thread each time. */
const WHOLE = { mode: 'exclude', paths: [], includesId: true } as const

describe('a read that needs no disk', () => {
  let opened: OpenedStore
  before(async () => {
    opened = await openSqlite(DEFAULT_LIMITS)
  })
  after(() => opened.close())

  const idsOf = (id: string) => (/^\d$/.test(id) ? [id, Number(id)] : [id])
  const read = async (collection: string, id: string, projection?: Projection) => {
    const command = { app: opened.app, collection, ids: idsOf(id), ...(projection && { projection }) }
    const text = await opened.store.getDocument(command)
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

  it('never answers less than what was acknowledged, or answered to anybody, before it began', async () => {
    const collection = 'counters'
    const counters = new Map<string, Counter>()
    for (const id of DOCUMENTS) {
      await save(collection, /^\d$/.test(id) ? Number(id) : id, 0)
      counters.set(id, { acknowledged: 0, seen: 0, begun: 0 })
    }
    const until = performance.now() + 2000
    let reads = 0
    const reader = async (pause: number, projection?: Projection): Promise<void> => {
      for (let i = 0; performance.now() < until; i++) {
        const id = DOCUMENTS[i % DOCUMENTS.length]!
        const counter = counters.get(id)!
        const least = Math.max(counter.acknowledged, counter.seen)
        const n = await read(collection, id, projection)
        assert.ok(
          n !== undefined && n >= least && n <= counter.begun,
          `${id}: ${least} <= ${n} <= ${counter.begun}`,
        )
        counter.seen = Math.max(counter.seen, n)
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
      ...[1, 3, 7, 50].map((pause) => reader(pause)),
      reader(1, WHOLE),
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

  it('needs no disk again when a writer thread that overran was replaced', async (t) => {
    const small = await openSqlite({ ...DEFAULT_LIMITS, queryDeadlineMs: 100 })
    t.after(() => small.close())
    const at = { app: small.app, collection: 'c' }
    // A text without a pattern of its own is what this one takes longest for: about 20 s, linear as it is.
    const letters = Array.from({ length: 1_000_000 }, (_, i) =>
      Math.imul(i + 1, 0x9e3779b1) < 0 ? 'a' : 'b',
    )
    const documents = [{ text: `{"t":"${letters.join('')}"}` }, { id: 'x', text: '{"_id":"x"}' }]
    await small.store.saveDocuments({ ...at, permitted: PERMITTED, documents })
    const isKept = async (): Promise<boolean> => {
      const answer = small.store.getDocument({ ...at, ids: ['x'] })
      assert.equal(await answer, '{"_id":"x"}')
      return typeof answer === 'string'
    }
    assert.equal(await isKept(), false)
    assert.equal(await isKept(), true)
    const filter = filterOf('{"t":{"$regex":"(a|b)*a(a|b){900}[cd]"}}')
    const hostile = { ...at, filter, update: updateOf('{}'), multi: true, upsert: false, now: 0 }
    await assert.rejects(small.store.updateDocuments(hostile), { code: 'deadline_exceeded' })
    // While the old thread may be at work the disk is asked.
    while (!(await isKept())) await new Promise((resolve) => setImmediate(resolve))
  })

  it('takes no memory for names that hold nothing', async () => {
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 20_000; i++) await read(`nothing-${i}`, 'x')
    globalThis.gc?.()
    assert.ok(process.memoryUsage().heapUsed - before < 64 * 1024 * 1024)
  })
})
