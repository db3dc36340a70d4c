import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { targetIds } from '../src/json/target-ids.ts'
import type { Projection } from '../src/query/ast.ts'
import { filterOf, type OpenedStore, textOf, updateOf } from './contract-harness.ts'
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
  const everything = (collection: string) => ({
    app: opened.app,
    collection,
    filter: filterOf('{}'),
    texts: { filter: '{}', sort: undefined, projection: undefined, after: undefined },
  })
  const find = (collection: string) =>
    opened.store.findDocuments({ ...everything(collection), sort: [], skip: 0, limit: 1000 })
  const list = async (collection: string) =>
    JSON.parse(await textOf(await find(collection))) as { _id: string | number; n: number }[]
  const count = async (collection: string) => opened.store.countDocuments(everything(collection))
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
    let lists = 0
    const isOver = (): boolean => performance.now() >= until && reads > 1000 && lists > 100
    const leastOf = (id: string): number => Math.max(counters.get(id)!.acknowledged, counters.get(id)!.seen)
    const check = (id: string, least: number, n: number | undefined): void => {
      const counter = counters.get(id)!
      const isRight = n !== undefined && n >= least && n <= counter.begun
      assert.ok(isRight, `${id}: ${least} <= ${n} <= ${counter.begun}`)
      counter.seen = Math.max(counter.seen, n)
    }
    const reader = async (pause: number, projection?: Projection): Promise<void> => {
      for (let i = 0; !isOver(); i++) {
        const id = DOCUMENTS[i % DOCUMENTS.length]!
        const least = leastOf(id)
        check(id, least, await read(collection, id, projection))
        reads++
        if (i % pause === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const lister = async (): Promise<void> => {
      while (!isOver()) {
        const least = new Map(DOCUMENTS.map((id) => [id, leastOf(id)]))
        const found = await list(collection)
        assert.equal(found.length, DOCUMENTS.length)
        for (const { _id, n } of found) check(String(_id), least.get(String(_id))!, n)
        lists++
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const writer = async (
      ids: readonly string[],
      write: () => Promise<unknown>,
      pause: number,
    ): Promise<void> => {
      while (!isOver()) {
        for (const id of ids) counters.get(id)!.begun++
        await write()
        for (const id of ids) counters.get(id)!.acknowledged++
        // Writers of different paces meet the readers at all times.
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    await Promise.all([
      ...[1, 3, 7, 50].map((pause) => reader(pause)),
      reader(1, WHOLE),
      lister(),
      lister(),
      ...DOCUMENTS.map((id, i) => writer([id], () => increment(collection, id), i)),
      writer(['a'], () => increment(collection, 'a'), 0),
      writer(DOCUMENTS, () => incrementAll(collection), 5),
    ])
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
      for (const _ of ['asked once', 'asked again', 'kept']) {
        assert.equal(await read(at.collection, 'x'), 1)
        assert.deepEqual(await list(at.collection), [{ _id: 'x', n: 1 }])
        assert.equal(await count(at.collection), 1)
      }
      await way()
      assert.equal(await read(at.collection, 'x'), undefined)
      assert.deepEqual(await list(at.collection), [])
      assert.equal(await count(at.collection), 0)
    }
  })

  it('is kept of a collection when the same was asked twice of the same state', async () => {
    const isKept = (answer: unknown): boolean => !(answer instanceof Promise)
    for (const n of [1, 2]) {
      await save('asked', 'x', n)
      for (const expected of [false, false, true]) {
        const answer = find('asked')
        assert.equal(isKept(answer), expected)
        assert.equal(await textOf(await answer), `[{"_id":"x","n":${n}}]`)
      }
      const counts = ['{}', '{}', '{}', '{ }'].map(
        (filter) => () => opened.store.countDocuments({ ...everything('asked'), texts: { filter } }),
      )
      for (const [i, expected] of [false, false, true, false].entries()) {
        const answer = counts[i]!()
        assert.equal(isKept(answer), expected)
        assert.equal(await answer, 1)
      }
    }
    await save('another', 'x', 1)
    assert.ok(isKept(find('asked')))
  })

  it('is kept up to a length, as bytes', async () => {
    const documents = (length: number) => [{ id: 'x', text: `{"_id":"x","t":"${'é'.repeat(length)}"}` }]
    for (const [length, isKept] of [
      [100_000, true],
      [520_000, true],
      [524_280, false],
    ] as const) {
      const at = { app: opened.app, collection: 'long', permitted: PERMITTED }
      await opened.store.saveDocuments({ ...at, documents: documents(length) })
      await find('long')
      await find('long')
      const answer = find('long')
      assert.equal(!(answer instanceof Promise), isKept)
      assert.equal((await answer).first instanceof Uint8Array, isKept)
      assert.equal(await textOf(await answer), `[${documents(length)[0]!.text}]`)
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
})
