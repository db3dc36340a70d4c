import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { ContractHarness, type OpenStore } from './contract-harness.ts'

const CREATE = { create: true, update: false }
const UPDATE = { create: false, update: true }
const NEITHER = { create: false, update: false }
const DENIED = { code: 'permission_denied' }

/** What a write may turn out to be, on every engine; `open` gives it an empty app. */
export function describePermitted(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: what is permitted`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    /** Nothing but what was there is there, and no collection where there was none. */
    async function assertUntouched(text: string): Promise<void> {
      assert.equal(await h.find('{}'), text)
      const exists = (await h.store.listCollections(h.app)).includes(h.at.collection)
      assert.equal(exists, text !== '[]')
    }

    it('lets a save that may only create overwrite nothing', async () => {
      h.fresh()
      await h.save('{"_id":"x","v":1}')
      h.permitted = CREATE
      await assert.rejects(h.save('{"_id":"x","v":2}'), DENIED)
      await assertUntouched('[{"_id":"x","v":1}]')
      assert.deepEqual(await h.save('{"_id":"y"}'), [{ created: true }])
      assert.equal((await h.save('{}'))[0]?.created, true)
    })

    it('lets a save that may only update create nothing, no collection either', async () => {
      h.fresh()
      h.permitted = UPDATE
      await assert.rejects(h.save('{"_id":"x"}'), DENIED)
      await assert.rejects(h.save('{}'), DENIED)
      await assert.rejects(h.save('{"_id":"x"}', '{"_id":"y"}'), { ...DENIED, documentIndex: 0 })
      await assertUntouched('[]')
      h.permitted = CREATE
      await h.save('{"_id":"x","v":1}', '{"_id":"z"}')
      h.permitted = UPDATE
      await assert.rejects(h.save('{"_id":"y"}'), DENIED)
      await assert.rejects(h.save('{"v":2}'), DENIED)
      await assertUntouched('[{"_id":"x","v":1},{"_id":"z"}]')
      assert.deepEqual(await h.save('{"_id":"x","v":2}'), [{ created: false }])
      assert.equal(await h.find('{}'), '[{"_id":"x","v":2},{"_id":"z"}]')
    })

    it('does nothing of a bulk with one document that is refused', async () => {
      h.fresh()
      await h.save('{"_id":"x","v":1}')
      h.permitted = CREATE
      await assert.rejects(h.save('{"_id":"a"}', '{"b":1}', '{"_id":"x","v":2}', '{"_id":"c"}'), {
        ...DENIED,
        documentIndex: 2,
      })
      await assertUntouched('[{"_id":"x","v":1}]')
      h.permitted = UPDATE
      await assert.rejects(h.save('{"_id":"x","v":2}', '{"_id":"a"}'), DENIED)
      await assert.rejects(h.save('{"_id":"x","v":2}', '{"a":1}'), DENIED)
      await assertUntouched('[{"_id":"x","v":1}]')
      assert.deepEqual(await h.save('{"_id":"x","v":2}', '{"_id":"x","v":3}'), [
        { created: false },
        { created: false },
      ])
    })

    it('takes two documents of one id in one bulk for a create and an update', async () => {
      h.fresh()
      h.permitted = CREATE
      await assert.rejects(h.save('{"_id":"x","v":1}', '{"_id":"x","v":2}'), DENIED)
      await assertUntouched('[]')
    })

    it('refuses everything where neither is permitted', async () => {
      h.fresh()
      await h.save('{"_id":"x"}')
      h.permitted = NEITHER
      for (const text of ['{"_id":"x","v":1}', '{"_id":"y"}', '{}'])
        await assert.rejects(h.save(text), DENIED)
      for (const id of ['x', 'y']) await assert.rejects(h.updateOne(id, '{"$set":{"v":1}}'), DENIED)
      await assertUntouched('[{"_id":"x"}]')
    })

    it('lets an update of one create or change, as it is permitted', async () => {
      for (const body of ['{"v":2}', '{"$set":{"v":2}}']) {
        h.fresh()
        h.permitted = UPDATE
        await assert.rejects(h.updateOne('x', body), DENIED)
        await assertUntouched('[]')
        h.permitted = CREATE
        assert.deepEqual(await h.updateOne('x', body), { text: '{"_id":"x","v":2}', created: true })
        await assert.rejects(h.updateOne('x', '{"$set":{"v":3}}'), DENIED)
        await assert.rejects(h.updateOne('x', '{"v":3}'), DENIED)
        await assertUntouched('[{"_id":"x","v":2}]')
        h.permitted = UPDATE
        await assert.rejects(h.updateOne('y', body), DENIED)
        assert.deepEqual(await h.updateOne('x', '{"v":4}'), { text: '{"_id":"x","v":4}', created: false })
      }
    })

    it('refuses before it tries, so that a refusal tells nothing about the document', async () => {
      h.fresh()
      await h.save('{"_id":"x","v":"text"}')
      h.permitted = CREATE
      await assert.rejects(h.updateOne('x', '{"$inc":{"v":1}}'), DENIED)
      h.permitted = UPDATE
      await assert.rejects(h.updateOne('y', '{"$set":{"_id":"z"}}'), DENIED)
      await assertUntouched('[{"_id":"x","v":"text"}]')
    })

    it('lets one of many parallel creations win where overwriting is not permitted', async () => {
      h.fresh()
      h.permitted = CREATE
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, i) =>
          i % 2 === 0 ? h.save(`{"_id":"x","v":${i}}`) : h.updateOne('x', `{"v":${i}}`),
        ),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results)
        if (result.status === 'rejected') assert.equal(result.reason.code, 'permission_denied')
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      assert.equal(await h.find('{}'), `[{"_id":"x","v":${winner}}]`)
    })
  })
}
