import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { tagOf } from '../src/domain/entity-tag.ts'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { Conditions } from '../src/domain/precondition.ts'
import { ContractHarness, filterOf, type OpenStore } from './contract-harness.ts'

const FAILED = { code: 'precondition_failed' }
const DENIED = { code: 'permission_denied' }
const ONE = '{"_id":"x","v":1}'
const TWO = '{"_id":"x","v":2}'
const THERE = { ...FAILED, entityTag: tagOf(ONE) }
const NEW: Conditions = { ifNoneMatch: '*' }
const ANY: Conditions = { ifMatch: '*' }
const SAME: Conditions = { ifMatch: [tagOf(TWO), tagOf(ONE)] }
const OTHER: Conditions = { ifMatch: [tagOf(TWO)] }

/** What a write depends on, on every engine; `open` gives it an empty app. */
export function describeConditions(name: string, open: OpenStore): void {
  describe(`${name} keeps the store's contract: conditions`, () => {
    let h: ContractHarness

    before(async () => {
      h = new ContractHarness(await open(DEFAULT_LIMITS))
    })
    after(() => h.close())

    /** Goes on in a new collection with these documents. */
    async function having(...texts: string[]): Promise<void> {
      h.fresh()
      if (texts.length > 0) await h.save(...texts)
    }

    function on(conditions: Conditions, tellsTag = true): void {
      h.precondition = { ...conditions, tellsTag }
    }

    const save = () => h.save(TWO)
    const replace = () => h.updateOne('x', '{"v":2}')
    const modify = () => h.updateOne('x', '{"$inc":{"v":1}}')
    const remove = () => h.deleteOne('x')
    const writes: Record<string, () => Promise<unknown>> = { save, replace, modify, remove }

    for (const [write, run] of Object.entries(writes)) {
      it(`refuses to ${write} where the document is another one, and tells the tag that it has`, async () => {
        await having(ONE)
        for (const conditions of [OTHER, { ifMatch: [] }, NEW, { ifNoneMatch: [tagOf(ONE)] }]) {
          on(conditions)
          await assert.rejects(run(), THERE)
          on(conditions, false)
          await assert.rejects(run(), { ...FAILED, entityTag: undefined })
        }
        // Both have to hold.
        on({ ...ANY, ...NEW })
        await assert.rejects(run(), THERE)
        on({ ...OTHER, ifNoneMatch: [tagOf(TWO)] })
        await assert.rejects(run(), THERE)
        assert.equal(await h.find('{}'), `[${ONE}]`)
      })

      it(`does ${write} where the document is as it should be`, async () => {
        const after = write === 'remove' ? '[]' : `[${TWO}]`
        for (const conditions of [ANY, SAME, { ifNoneMatch: [tagOf(TWO)] }, { ...SAME, ifNoneMatch: [] }]) {
          await having(ONE)
          on(conditions)
          await run()
          assert.equal(await h.find('{}'), after)
        }
      })
    }

    it('refuses a save and an update of what is not there, and makes no collection for it', async () => {
      for (const run of [save, replace, modify, () => h.save('{"v":1}')])
        for (const conditions of [ANY, SAME, { ...ANY, ...NEW }]) {
          await having()
          on(conditions)
          await assert.rejects(run(), { ...FAILED, entityTag: undefined })
          assert.ok(!(await h.store.listCollections(h.app)).includes(h.at.collection))
          await having('{"_id":"y"}')
          on(conditions)
          await assert.rejects(run(), FAILED)
          assert.equal(await h.find('{}'), '[{"_id":"y"}]')
        }
    })

    it('finds nothing to delete where nothing is, whatever the condition', async () => {
      for (const conditions of [ANY, SAME, NEW]) {
        await having()
        on(conditions)
        assert.equal(await h.deleteOne('x'), undefined)
        await having('{"_id":"y"}')
        on(conditions)
        assert.equal(await h.deleteOne('x'), undefined)
      }
    })

    it('makes what is not there', async () => {
      for (const conditions of [NEW, { ifNoneMatch: [tagOf(ONE)] }]) {
        await having()
        on(conditions)
        assert.deepEqual(await save(), [{ created: true }])
        assert.equal((await h.save('{"v":1}'))[0]?.created, true)
        h.fresh()
        on(conditions)
        assert.deepEqual(await replace(), { text: TWO, created: true })
      }
    })

    it('looks at the document that is written, of those that a path may name', async () => {
      await having('{"_id":7,"v":1}')
      on({ ifMatch: [tagOf('{"_id":7,"v":2}')] })
      await assert.rejects(h.deleteOne('7', 7), { ...FAILED, entityTag: tagOf('{"_id":7,"v":1}') })
      on({ ifMatch: [tagOf('{"_id":7,"v":1}')] })
      assert.equal(await h.deleteOne('7', 7), '{"_id":7,"v":1}')
    })

    it('asks first whether the write is permitted, then whether the condition holds, then whether it can be done', async () => {
      await having(ONE)
      on(OTHER)
      h.permitted = { create: true, update: false }
      await assert.rejects(save(), DENIED)
      await assert.rejects(modify(), DENIED)
      h.permitted = { create: false, update: true }
      await assert.rejects(h.save('{"_id":"y"}'), DENIED)
      await assert.rejects(h.updateOne('y', '{}'), DENIED)
      await assert.rejects(h.updateOne('x', '{"$push":{"v":1}}'), THERE)
    })

    it('lets exactly one of many parallel writes of one state win', async () => {
      await having(ONE)
      for (let round = 0; round < 5; round++) {
        const before = (await h.find('{}')).slice(1, -1)
        on({ ifMatch: [tagOf(before)] })
        const writers = Array.from({ length: 200 }, (_, writer) =>
          writer % 2 === 0
            ? h.save(`{"_id":"x","v":${round + 2},"by":${writer}}`)
            : h.updateOne('x', `{"$inc":{"v":1},"$set":{"by":${writer}}}`),
        )
        const outcomes = await Promise.allSettled(writers)
        const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
        const after = `{"_id":"x","v":${round + 2},"by":${winner}}`
        assert.equal(await h.find('{}'), `[${after}]`)
        const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
        assert.equal(refused.length, 199)
        for (const { code, entityTag } of refused)
          assert.deepEqual([code, entityTag], ['precondition_failed', tagOf(after)])
      }
    })

    it('changes by a query what it was said to match, and nothing where that is another number', async () => {
      const set = '{"$set":{"v":2}}'
      const remove = (q: string, expected: number) =>
        h.store.deleteDocuments({ ...h.at, filter: filterOf(q), expected })
      const refused = (matching: number) => ({
        code: 'unexpected_count',
        message: new RegExp(`^${matching} documents? match`),
      })
      // In few documents the writer looks by itself, in many a reader does.
      for (const count of [10, 3000]) {
        const half = count / 2
        h.fresh()
        await assert.rejects(h.updateMany('{}', set, { expected: 1 }), refused(0))
        await assert.rejects(remove('{}', 1), refused(0))
        assert.equal(await remove('{}', 0), 0)
        await h.save(...Array.from({ length: count }, (_, n) => `{"_id":${n},"v":1,"half":${n % 2}}`))
        const before = await h.find('{}', { limit: count })
        for (const [q, matching] of [
          ['{}', count],
          ['{"half":1}', half],
          ['{"half":2}', 0],
          ['{"_id":3}', 1],
        ] as const)
          for (const expected of [matching - 1, matching + 1].filter((each) => each >= 0)) {
            await assert.rejects(h.updateMany(q, set, { expected }), refused(matching))
            await assert.rejects(h.updateMany(q, '{"v":2}', { expected, upsert: true }), refused(matching))
            await assert.rejects(remove(q, expected), refused(matching))
          }
        assert.equal(await h.find('{}', { limit: count }), before)
        const changed = { matched: half, modified: half }
        assert.deepEqual(await h.updateMany('{"half":1}', set, { expected: half }), changed)
        const { upserted } = await h.updateMany('{"_id":"new"}', set, { expected: 0, upsert: true })
        assert.equal(upserted, '"new"')
        assert.equal(await remove('{"half":0}', half), half)
        assert.equal(await remove('{}', half + 1), half + 1)
      }
    })

    it('adds by a query no more bytes than there is room for, and then nothing', async () => {
      h.fresh()
      await h.save(...['1', '2', '3'].map((id) => `{"_id":${id},"v":"ää"}`))
      const before = await h.find('{}')
      const set = '{"$set":{"v":"äääää"}}'
      // Each becomes longer by three times two bytes.
      await assert.rejects(h.updateMany('{}', set, { roomBytes: 17 }), { code: 'quota_exceeded' })
      const upsert = { upsert: true, roomBytes: 10 }
      await assert.rejects(h.updateMany('{"_id":"new"}', set, upsert), { code: 'quota_exceeded' })
      assert.equal(await h.find('{}'), before)
      const changed = { matched: 3, modified: 3 }
      assert.deepEqual(await h.updateMany('{}', set, { roomBytes: 18 }), { ...changed, grownBytes: 18 })
      const back = await h.updateMany('{}', '{"$set":{"v":"ää"}}', { roomBytes: 0 })
      assert.deepEqual(back, { ...changed, grownBytes: -18 })
      const made = await h.updateMany('{"_id":"new"}', '{"v":1}', { upsert: true, roomBytes: 100 })
      assert.equal(made.grownBytes, '{"_id":"new","v":1}'.length)
    })

    it('counts what was written just before', async () => {
      h.fresh()
      const filter = filterOf('{}')
      const writes = await Promise.allSettled([
        h.save('{"_id":1}'),
        h.store.deleteDocuments({ ...h.at, filter, expected: 0 }),
        h.store.deleteDocuments({ ...h.at, filter, expected: 1 }),
        h.updateMany('{}', '{"$set":{"v":1}}', { expected: 1 }),
      ])
      assert.deepEqual(
        writes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
      )
    })

    it('lets exactly one of many parallel creations win', async () => {
      await having()
      on(NEW)
      const writers = Array.from({ length: 200 }, (_, writer) => h.save(`{"_id":"x","by":${writer}}`))
      const outcomes = await Promise.allSettled(writers)
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    })
  })
}
