import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { ContractHarness, filterOf, NOW, type OpenStore } from './contract-harness.ts'

/** What holds for writes on every engine; `open` gives it an empty app. */
export function describeWrites(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: writes`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    it('keeps a document in its place when it is overwritten or updated', async () => {
      h.fresh()
      await h.save('{"_id":"a"}', '{"_id":"b"}', '{"_id":"c"}')
      assert.deepEqual(await h.save('{"_id":"b","v":2}'), [{ created: false }])
      await h.updateOne('a', '{"$set":{"v":1}}')
      assert.equal(await h.find('{}'), '[{"_id":"a","v":1},{"_id":"b","v":2},{"_id":"c"}]')
    })

    it('changes nothing where one document of a multi-update is refused', async () => {
      h.fresh()
      await h.save('{"_id":1,"n":1}', '{"_id":2,"n":"text"}', '{"_id":3,"n":3}')
      const before = await h.find('{}')
      await assert.rejects(h.updateMany('{}', '{"$inc":{"n":1}}'), { code: 'update_not_applicable' })
      assert.equal(await h.find('{}'), before)
      assert.deepEqual(await h.updateMany('{"n":{"$gt":0}}', '{"$inc":{"n":1}}'), {
        matched: 2,
        modified: 2,
      })
      assert.deepEqual(await h.updateMany('{}', '{"$set":{"n":2}}'), { matched: 3, modified: 2 })
    })

    it('leaves no collection behind where the write that would have made it is refused', async () => {
      h.fresh()
      await assert.rejects(h.updateOne('x', '{"$set":{"_id":"y"}}'), { code: 'immutable_id' })
      assert.ok(!(await h.store.listCollections(h.app)).includes(h.at.collection))
      await h.save('{"_id":"x"}')
      assert.equal(await h.find('{}'), '[{"_id":"x"}]')
    })

    it('updates the first match alone where asked to', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2}')
      assert.deepEqual(await h.updateMany('{}', '{"$set":{"a":1}}', { multi: false }), {
        matched: 1,
        modified: 1,
      })
      assert.equal(await h.find('{}'), '[{"_id":1,"a":1},{"_id":2}]')
    })

    it('inserts a replacement for what no document matches, whatever the query says beside the _id', async () => {
      h.fresh()
      const q = '{"a":{"$eq":1,"$gte":1},"$and":[{"a":1}],"_id":"k"}'
      const result = await h.updateMany(q, '{"b":2}', { upsert: true })
      assert.deepEqual(result, { matched: 0, modified: 0, upserted: '"k"' })
      assert.equal(await h.find('{}'), '[{"_id":"k","b":2}]')
      await assert.rejects(h.updateMany(q.replace('"k"', '"l"'), '{"$set":{"b":2}}', { upsert: true }), {
        code: 'conflicting_paths',
      })
    })

    it('inserts from the query where nothing matches and an upsert is asked for', async () => {
      h.fresh()
      const made = await h.updateMany('{"_id":"k","a.b":5,"c":{"$gt":1}}', '{"$inc":{"n":1}}', {
        upsert: true,
      })
      assert.deepEqual(made, { matched: 0, modified: 0, upserted: '"k"' })
      assert.equal(await h.find('{}'), '[{"_id":"k","a":{"b":5},"n":1}]')
      await assert.rejects(h.updateMany('{"_id":"k","a.b":6}', '{"$inc":{"n":1}}', { upsert: true }), {
        code: 'update_not_applicable',
      })
    })

    it('answers the _id of what an upsert inserted as it is stored, digit for digit', async () => {
      h.fresh()
      for (const [q, body, id] of [
        ['{"_id":9007199254740993}', '{"$set":{"a":1}}', '9007199254740993'],
        ['{"_id":1.0}', '{"a":1}', '1.0'],
        ['{"_id":"1"}', '{"a":1}', '"1"'],
        ['{"_id":"\\"\\\\é\\n"}', '{"a":1}', '"\\"\\\\é\\n"'],
        ['{"a":2}', '{"_id":2.50,"a":2}', '2.50'],
        ['{"a":3}', '{"$setOnInsert":{"_id":"set"}}', '"set"'],
      ] as const) {
        const made = await h.updateMany(q, body, { upsert: true })
        assert.deepEqual(made, { matched: 0, modified: 0, upserted: id })
        assert.ok((await h.find(`{"_id":${id}}`)).startsWith(`[{"_id":${id}`), id)
      }
      const { upserted } = await h.updateMany('{"a":4}', '{"a":4}', { upsert: true })
      assert.match(upserted!, /^"[0-9A-HJKMNP-TV-Z]{26}"$/)
      assert.equal(await h.find('{"a":4}'), `[{"_id":${upserted},"a":4}]`)
      assert.deepEqual(await h.updateMany('{"a":4}', '{"b":1}', { upsert: true }), {
        matched: 1,
        modified: 1,
      })
    })

    it('fills placeholders, one instant a request and a fresh id each time', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2}')
      const s = 'Service.ServerValue.'
      await h.updateMany(
        '{}',
        `{"$set":{"t":"${s}TIMESTAMP","u":"${s}UTC","id":"${s}UUID","q":["${s}UNIQUE"]}}`,
      )
      type Filled = { t: number; u: string; id: string; q: string[] }
      const [one, two] = JSON.parse(await h.find('{}')) as [Filled, Filled]
      assert.equal(one.t, NOW)
      assert.equal(two.u, '2026-01-02T03:04:05.678Z')
      assert.match(one.id, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.notEqual(one.id, two.id)
      assert.notEqual(one.q[0], two.q[0])
    })

    it('lets all of 100 parallel increments take effect', async () => {
      h.fresh()
      await h.save('{"_id":"x","n":0}')
      await Promise.all(Array.from({ length: 100 }, () => h.updateOne('x', '{"$inc":{"n":1}}')))
      assert.equal(await h.find('{}'), '[{"_id":"x","n":100}]')
    })

    it('creates one document for parallel updates of one id that is missing', async () => {
      h.fresh()
      const results = await Promise.all(
        Array.from({ length: 50 }, () => h.updateOne('x', '{"$inc":{"n":1},"$setOnInsert":{"first":true}}')),
      )
      assert.equal(results.filter(({ created }) => created).length, 1)
      assert.equal(await h.find('{}'), '[{"_id":"x","n":50,"first":true}]')
    })

    it('refuses a document that an update makes too large or too deep', async () => {
      h.fresh()
      await h.save('{"_id":"x"}')
      const filler = 'x'.repeat(600_000)
      await h.updateOne('x', `{"$set":{"a":"${filler}"}}`)
      await assert.rejects(h.updateOne('x', `{"$set":{"b":"${filler}"}}`), { code: 'document_too_large' })
      const deep = `${'['.repeat(98)}${']'.repeat(98)}`
      await assert.rejects(h.updateOne('x', `{"$set":{"a.b.c":${deep}}}`), /./)
      await h.updateOne('x', '{"$set":{"a":{}}}')
      await assert.rejects(h.updateOne('x', `{"$set":{"a.b.c":${deep}}}`), { code: 'nesting_too_deep' })
      assert.equal(await h.find('{}'), '[{"_id":"x","a":{}}]')
    })

    it('deletes by id and by query, and drops', async () => {
      h.fresh()
      await h.save('{"_id":1}', '{"_id":2,"a":[1,2]}', '{"_id":3,"a":2}', '{"_id":4}')
      assert.equal(await h.store.deleteDocument({ ...h.at, ids: ['1', 1] }), '{"_id":1}')
      assert.equal(await h.store.deleteDocuments({ ...h.at, filter: filterOf('{"a":2}') }), 2)
      assert.equal(await h.find('{}'), '[{"_id":4}]')
      assert.equal(await h.store.dropCollection(h.at), true)
      assert.equal(await h.find('{}'), '[]')
      await h.save('{"_id":"new"}')
      assert.equal(await h.find('{}'), '[{"_id":"new"}]')
    })
  })
}
