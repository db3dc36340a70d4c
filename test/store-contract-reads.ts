import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { ANYTHING, ContractHarness, filterOf, type OpenStore, projectionOf } from './contract-harness.ts'

/** What holds for reads on every engine; `open` gives it an empty app. */
export function describeReads(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: reads`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    it('reads a collection that does not exist as empty, and does not make it by reading', async () => {
      h.fresh()
      assert.equal(await h.find('{}'), '[]')
      assert.equal(await h.find('{}', { s: '{"a":1}' }), '[]')
      assert.equal(await h.store.countDocuments({ ...h.at, filter: filterOf('{}') }), 0)
      assert.equal(await h.store.getDocument({ ...h.at, ids: ['x'] }), undefined)
      assert.equal(await h.store.deleteDocument({ ...h.at, ids: ['x'] }), undefined)
      assert.equal(await h.store.deleteDocuments({ ...h.at, filter: filterOf('{}') }), 0)
      assert.deepEqual(await h.updateMany('{}', '{"$set":{"a":1}}'), { matched: 0, modified: 0 })
      assert.equal(await h.store.dropCollection(h.at), false)
      assert.ok(!(await h.store.listCollections(h.app)).includes(h.at.collection))
    })

    it('refuses an app that does not exist', async () => {
      h.fresh()
      const gone = { app: '01JGONE0000000000000000000', collection: 'c' }
      await assert.rejects(async () => h.store.getDocument({ ...gone, ids: ['x'] }), {
        code: 'app_not_found',
      })
      await assert.rejects(
        h.store.saveDocuments({ ...gone, permitted: ANYTHING, documents: [{ text: '{}' }] }),
        {
          code: 'app_not_found',
        },
      )
    })

    it('makes a collection with the first save, under any name', async () => {
      for (const collection of [
        '__proto__',
        'constructor',
        'Ünï ✓',
        'a"b\'c',
        'sqlite_master',
        'x'.repeat(128),
      ]) {
        h.use(collection)
        await h.save('{"_id":"1","v":1}')
        assert.equal(await h.find('{}'), '[{"_id":"1","v":1}]')
        assert.ok((await h.store.listCollections(h.app)).includes(collection))
      }
      const names = await h.store.listCollections(h.app)
      assert.deepEqual(
        names,
        [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      )
    })

    it('says how much every collection holds, of many documents about', async () => {
      const sizeOf = async (collection: string) =>
        (await h.store.measureApp(h.app)).collections.find(({ name }) => name === collection)
      h.fresh()
      assert.equal(await sizeOf(h.at.collection), undefined)
      await h.save(...Array.from({ length: 40 }, (_, n) => `{"_id":${n},"text":"${'x'.repeat(1000)}"}`))
      const { bytes, freeBytes, collections } = await h.store.measureApp(h.app)
      assert.deepEqual(
        collections.map(({ name }) => name),
        await h.store.listCollections(h.app),
      )
      assert.ok(bytes >= 40_000, String(bytes))
      assert.ok(freeBytes >= 0, String(freeBytes))
      const { approximateBytes: many, ...counted } = (await sizeOf(h.at.collection))!
      assert.deepEqual(counted, { name: h.at.collection, documents: 40, indexes: 0, automaticIndexes: 0 })
      assert.ok(many > 40_000 && many < 42_000, String(many))
      await h.store.deleteDocuments({ ...h.at, filter: filterOf('{"_id":{"$gt":0}}') })
      const { documents, approximateBytes: one } = (await sizeOf(h.at.collection))!
      assert.ok(documents === 1 && one > 1000 && one < 1050, String(one))
      await h.store.deleteDocument({ ...h.at, ids: [0] })
      assert.equal((await sizeOf(h.at.collection))!.approximateBytes, 0)
    })

    it('assigns rising ids and puts them first', async () => {
      h.fresh()
      const saved = [...(await h.save('{}', '{"a":1}')), ...(await h.save('{"b":2}'))]
      const ids = saved.map(({ assignedId }) => assignedId!)
      for (const id of ids) assert.match(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
      assert.deepEqual(ids, [...new Set(ids)].sort())
      assert.equal(
        await h.find('{}'),
        `[{"_id":"${ids[0]}"},{"_id":"${ids[1]}","a":1},{"_id":"${ids[2]}","b":2}]`,
      )
    })

    it('keeps every digit, key and character', async () => {
      h.fresh()
      const text =
        '{"_id":"x","n":750727362669608961,"p":1.10,"e":1E5,"z":-0,"10":1,"2":[],"":{"":{}},"__proto__":{"$k":"a.b"},"s":"\\"\\\\\\n\\u001f\u2028😀"}'
      await h.save(text)
      assert.equal(await h.store.getDocument({ ...h.at, ids: ['x'] }), text)
      const { text: updated } = await h.updateOne('x', '{"$set":{"added":1.50}}')
      assert.equal(updated, text.replace(/}$/, ',"added":1.50}'))
    })

    it('takes 1, 1.0 and 1e0 for one id, and "1" for another', async () => {
      h.fresh()
      await h.store.saveDocuments({ ...h.at, permitted: ANYTHING, documents: [{ id: 1, text: '{"_id":1}' }] })
      const again = await h.store.saveDocuments({
        ...h.at,
        permitted: ANYTHING,
        documents: [{ id: 1.0, text: '{"_id":1.0,"b":2}' }],
      })
      assert.deepEqual(again, [{ created: false }])
      await h.save('{"_id":"1","t":true}')
      assert.equal(await h.find('{}'), '[{"_id":1.0,"b":2},{"_id":"1","t":true}]')
      assert.equal(await h.store.getDocument({ ...h.at, ids: ['1', 1] }), '{"_id":"1","t":true}')
      assert.equal(await h.store.getDocument({ ...h.at, ids: ['2', 1] }), '{"_id":1.0,"b":2}')
    })

    it('tells ids of 64 bits apart', async () => {
      h.fresh()
      const ids = [9007199254740992n, 9007199254740993n]
      for (const id of ids)
        await h.store.saveDocuments({
          ...h.at,
          permitted: ANYTHING,
          documents: [{ id, text: `{"_id":${id}}` }],
        })
      assert.equal(await h.find('{"_id":9007199254740993}'), '[{"_id":9007199254740993}]')
      assert.equal(await h.find('{"_id":{"$gt":9007199254740992}}'), '[{"_id":9007199254740993}]')
    })

    it('pages through ties without losing or repeating a document', async () => {
      h.fresh()
      await h.save(...Array.from({ length: 25 }, (_, i) => `{"_id":"${i}","g":${i % 2}}`))
      const seen: string[] = []
      for (let skip = 0; skip < 25; skip += 4) {
        const page = JSON.parse(await h.find('{}', { s: '{"g":-1}', skip, limit: 4 })) as { _id: string }[]
        seen.push(...page.map((document) => document._id))
      }
      const odd = Array.from({ length: 12 }, (_, i) => String(2 * i + 1))
      const even = Array.from({ length: 13 }, (_, i) => String(2 * i))
      assert.deepEqual(seen, [...odd, ...even])
    })

    it('skips and limits in natural order, with and without a filter', async () => {
      h.fresh()
      await h.save(...Array.from({ length: 10 }, (_, i) => `{"_id":${i},"even":${i % 2 === 0}}`))
      assert.equal(
        await h.find('{}', { skip: 8 }),
        '[{"_id":8,"even":false},{"_id":9,"even":false}]'.replace('8,"even":false', '8,"even":true'),
      )
      assert.equal(
        await h.find('{"even":true}', { skip: 1, limit: 2, f: '{"_id":1}' }),
        '[{"_id":2},{"_id":4}]',
      )
      assert.equal(await h.find('{}', { skip: 99 }), '[]')
      assert.equal(await h.find('{}', { limit: 0 }), '[]')
      assert.equal(await h.find('{"_id":{"$in":[7,3]}}', { f: '{"_id":1}' }), '[{"_id":3},{"_id":7}]')
      assert.equal(await h.store.countDocuments({ ...h.at, filter: filterOf('{"even":true}') }), 5)
    })

    it('projects', async () => {
      h.fresh()
      await h.save('{"_id":"x","a":{"b":1,"c":2.0},"d":[{"e":1,"f":2}]}')
      assert.equal(
        await h.find('{}', { f: '{"a.c":1,"d.e":1}' }),
        '[{"_id":"x","a":{"c":2.0},"d":[{"e":1}]}]',
      )
      const projection = projectionOf('{"_id":0,"a":0}')
      const got = await h.store.getDocument({ ...h.at, ids: ['x'], projection })
      assert.equal(got, '{"d":[{"e":1,"f":2}]}')
    })

    it('previews documents in natural order, by a sort, and with the fields that a projection leaves', async () => {
      h.fresh()
      const long = 'x'.repeat(200)
      await h.save(`{"_id":1.0,"n":1.10,"t":"${long}"}`, '{"a":{"b":[1]},"_id":"two","n":0}')
      const one = `{"id":1.0,"bytes":227,"fields":{"n":1.10,"t":{"text":"${long.slice(0, 100)}","length":200}}}`
      const two = '{"id":"two","bytes":33,"fields":{"a":{"object":1,"first":[["b",[]]]},"n":0}}'
      assert.equal(await h.find('{}', { wantsPreviews: true }), `[${one},${two}]`)
      assert.equal(await h.find('{}', { wantsPreviews: true, s: '{"n":1}', limit: 1 }), `[${two}]`)
      assert.equal(
        await h.find('{"n":{"$lt":1}}', { wantsPreviews: true, f: '{"n":1,"_id":0}' }),
        '[{"id":"two","bytes":33,"fields":{"n":0}}]',
      )
    })

    it('previews many documents that are long', async () => {
      h.fresh()
      const long = 'x'.repeat(900_000)
      const texts = Array.from({ length: 12 }, (_, n) => `{"_id":${n},"t":"${long}","r":${-n}}`)
      await h.save(...texts)
      const all = JSON.parse(await h.find('{}', { wantsPreviews: true }))
      assert.deepEqual(
        all.map(({ id, fields }: { id: number; fields: { t: { length: number } } }) => [id, fields.t.length]),
        texts.map((_, n) => [n, 900_000]),
      )
      const sorted = JSON.parse(await h.find('{}', { wantsPreviews: true, s: '{"r":1}' }))
      assert.deepEqual(sorted, all.toReversed())
    })

    it('answers more than fits one piece, in every order', async () => {
      h.fresh()
      const text = 'y'.repeat(1000)
      for (let from = 0; from < 3000; from += 1000)
        await h.save(
          ...Array.from({ length: 1000 }, (_, i) => `{"_id":${from + i},"r":${-from - i},"t":"${text}"}`),
        )
      const idsOf = (answer: string) => (JSON.parse(answer) as { _id: number }[]).map(({ _id }) => _id)
      const all = Array.from({ length: 3000 }, (_, i) => i)
      assert.deepEqual(idsOf(await h.find('{}', { limit: 1e6 })), all)
      assert.deepEqual(idsOf(await h.find('{}', { limit: 1e6, s: '{"r":1}' })), all.toReversed())
      assert.deepEqual(
        idsOf(await h.find('{"t":{"$regex":"y+"}}', { limit: 2500, skip: 400 })),
        all.slice(400, 2900),
      )
    })

    it('stops a long read that nobody waits for', async () => {
      const command = { ...h.at, filter: filterOf('{"t":{"$regex":"z$"}}'), isCancelled: () => true }
      await assert.rejects(async () => h.store.countDocuments(command), { code: 'deadline_exceeded' })
    })

    it('has everything that it acknowledged after it is opened again', async (t) => {
      if (!(await h.reopen())) return t.diagnostic('not a store that outlives its process')
      h.fresh()
      await h.save('{"_id":"x","n":1}')
      await h.updateOne('x', '{"$inc":{"n":1}}')
      const [before] = await h.save('{}')

      assert.equal(await h.store.getDocument({ ...h.at, ids: ['x'] }), '{"_id":"x","n":2}')
      const [later] = await h.save('{}')
      assert.ok(later!.assignedId! > before!.assignedId!)
    })
  })
}
