import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { ContractHarness, filterOf, type OpenStore, textOf } from './contract-harness.ts'

/** What has been in a bin for its time goes by itself. */
const NOW_MS = Date.now()

/** What holds for collections as a whole on every engine; `open` gives it an empty app. */
export function describeBin(name: string, open: OpenStore): void {
  let h: ContractHarness
  before(async () => {
    h = new ContractHarness(await open(DEFAULT_LIMITS))
  })
  after(() => h.close())

  const done = { by: 'ada@example.org', now: NOW_MS }
  const names = () => h.store.listCollections(h.app)
  const bin = () => h.store.collections.listBin(h.app)
  const restore = (id: number, as?: string) => h.store.collections.restore({ app: h.app, id, as, now: 0 })
  const idsIn = async (collection: string): Promise<string> => {
    h.use(collection)
    return h.find('{}', { f: '{"_id":1}' })
  }

  describe(`a collection as a whole, in the ${name} store,`, () => {
    it('is not renamed, emptied or dropped where there is none', async () => {
      h.fresh()
      const none = { code: 'collection_not_found' }
      await assert.rejects(h.store.collections.rename({ ...h.at, to: 'x', now: 0 }), none)
      await assert.rejects(h.store.collections.empty({ ...h.at, ...done }), none)
      await assert.rejects(h.store.collections.bin({ ...h.at, ...done }), none)
      await assert.rejects(restore(12345), none)
      await assert.rejects(restore(12345, 'x'), none)
      await assert.rejects(h.store.collections.remove({ app: h.app, id: 12345 }), none)
      assert.deepEqual(await bin(), [])
      assert.ok(!(await names()).includes(h.at.collection))
    })

    it('is not renamed to itself, nor to another one', async () => {
      h.fresh()
      await h.save('{"_id":1}')
      const first = h.at
      h.fresh()
      await h.save('{"_id":2}')
      for (const to of [first.collection, h.at.collection])
        await assert.rejects(h.store.collections.rename({ ...h.at, to, now: 0 }), {
          code: 'collection_exists',
        })
      assert.equal(await h.find('{}'), '[{"_id":2}]')
      assert.equal(await idsIn(first.collection), '[{"_id":1}]')
    })

    it('has another name from one moment to the next, and what was read by the old one is forgotten', async () => {
      h.fresh()
      const old = h.at.collection
      await h.save('{"_id":1,"v":1}', '{"_id":2}')
      const get = () => h.store.getDocument({ ...h.at, ids: [1] })
      const count = () => h.store.countDocuments({ ...h.at, filter: filterOf('{}') })
      for (const _ of [1, 2]) assert.deepEqual([await get(), await count()], ['{"_id":1,"v":1}', 2])
      h.use(`${old} renamed`)
      for (const _ of [1, 2]) assert.deepEqual([await get(), await count()], [undefined, 0])
      const to = h.at.collection
      assert.equal(await h.store.collections.rename({ app: h.app, collection: old, to, now: 0 }), 2)
      assert.deepEqual([await get(), await count()], ['{"_id":1,"v":1}', 2])
      h.use(old)
      assert.deepEqual([await get(), await count()], [undefined, 0])
      await h.save('{"_id":3}')
      assert.equal(await idsIn(old), '[{"_id":3}]')
      assert.equal(await idsIn(to), '[{"_id":1},{"_id":2}]')
    })

    it('goes on behind a page that was read before it was renamed', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2}', '{"_id":3}')
      const page = { ...h.at, filter: filterOf('{}'), sort: [], skip: 0, limit: 2, wantsEnd: true }
      const { end } = await h.store.findDocuments(page)
      const to = `${h.at.collection} renamed`
      await h.store.collections.rename({ ...h.at, to, now: 0 })
      const next = await h.store.findDocuments({ ...page, collection: to, after: end! })
      assert.equal(await textOf(next), '[{"_id":3}]')
    })

    it('is in the bin when it was dropped, and comes back as it was', async () => {
      h.fresh()
      await h.save('{"_id":1,"v":1}', '{"_id":2}')
      const entry = await h.store.collections.bin({ ...h.at, ...done })
      const { id, ...told } = entry
      assert.deepEqual(told, {
        ...{ name: h.at.collection, documents: 2, droppedAt: NOW_MS },
        ...{ by: 'ada@example.org', reason: 'drop' },
      })
      assert.deepEqual(await bin(), [entry])
      assert.ok(!(await names()).includes(h.at.collection))
      assert.deepEqual(
        (await h.store.measureApp(h.app)).collections.filter((each) => each.name === h.at.collection),
        [],
      )
      assert.equal(await h.find('{}'), '[]')
      await assert.rejects(h.store.collections.bin({ ...h.at, ...done }), { code: 'collection_not_found' })
      assert.deepEqual(await restore(id), entry)
      assert.equal(await h.find('{}'), '[{"_id":1,"v":1},{"_id":2}]')
      await h.save('{"_id":3}')
      assert.equal(await h.find('{}'), '[{"_id":1,"v":1},{"_id":2},{"_id":3}]')
      assert.deepEqual(await bin(), [])
      await assert.rejects(restore(id), { code: 'collection_not_found' })
    })

    it('is the one without documents when it was emptied, and the other one is in the bin', async () => {
      h.fresh()
      await h.save('{"_id":1}')
      const entry = (await h.store.collections.empty({ ...h.at, ...done }))!
      assert.deepEqual([entry.documents, entry.reason], [1, 'empty'])
      assert.ok((await names()).includes(h.at.collection))
      assert.equal(await h.find('{}'), '[]')
      assert.equal(await h.store.collections.empty({ ...h.at, ...done }), undefined)
      await h.save('{"_id":2}')
      assert.equal(await h.find('{}'), '[{"_id":2}]')
      await assert.rejects(restore(entry.id), { code: 'collection_exists' })
      const as = `${h.at.collection} as it was`
      assert.deepEqual(await restore(entry.id, as), entry)
      assert.equal(await h.find('{}'), '[{"_id":2}]')
      assert.equal(await idsIn(as), '[{"_id":1}]')
    })

    it('comes back in the place of one without documents', async () => {
      h.fresh()
      await h.save('{"_id":1}')
      const { id } = (await h.store.collections.empty({ ...h.at, ...done }))!
      await restore(id)
      assert.equal(await h.find('{}'), '[{"_id":1}]')
      assert.deepEqual(await bin(), [])
    })

    it('gets the name of one without documents, and not its own', async () => {
      h.fresh()
      await h.save('{"_id":1}')
      const to = h.at.collection
      await h.store.collections.empty({ ...h.at, ...done })
      await assert.rejects(h.store.collections.rename({ ...h.at, to, now: NOW_MS }), {
        code: 'collection_exists',
      })
      h.fresh()
      await h.save('{"_id":2}')
      assert.equal(await h.store.collections.rename({ ...h.at, to, now: NOW_MS }), 1)
      assert.equal(await idsIn(to), '[{"_id":2}]')
      for (const { id } of await bin()) await h.store.collections.remove({ app: h.app, id })
    })

    it('may be in the bin several times, each for itself, and is removed for good', async () => {
      h.fresh()
      const entries = []
      for (const n of [1, 2, 3]) {
        await h.save(`{"_id":${n}}`)
        entries.unshift(await h.store.collections.bin({ ...h.at, by: 'ada', now: NOW_MS + n }))
      }
      assert.deepEqual(await bin(), entries)
      const [third, second, first] = entries
      assert.deepEqual(await h.store.collections.remove({ app: h.app, id: second!.id }), second)
      await assert.rejects(restore(second!.id), { code: 'collection_not_found' })
      await restore(first!.id)
      assert.equal(await h.find('{}'), '[{"_id":1}]')
      await assert.rejects(restore(third!.id), { code: 'collection_exists' })
      await h.store.collections.remove({ app: h.app, id: third!.id })
      assert.deepEqual(await bin(), [])
    })

    it('is still in the bin when the store was closed and opened again', async () => {
      h.fresh()
      await h.save('{"_id":1}')
      const entry = await h.store.collections.bin({ ...h.at, ...done })
      if (!(await h.reopen())) return void (await restore(entry.id))
      assert.deepEqual(await bin(), [entry])
      await restore(entry.id)
      assert.equal(await h.find('{}'), '[{"_id":1}]')
    })

    it('is brought back by one of two who do it at once', async () => {
      h.fresh()
      await h.save('{"_id":1}')
      const { id } = await h.store.collections.bin({ ...h.at, ...done })
      const both = await Promise.allSettled([restore(id), restore(id, `${h.at.collection} too`)])
      assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    })
  })
}
