import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const WEB = { owner: null, name: 'web' }

export function guards(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: guards of changes`, () => {
    it("leave an app alone whose slug is another one's by now", async (t) => {
      const { store } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const was = await store.createApp({ slug: 'demo', owner: account }, ACTOR)
      await store.removeApp(was, ACTOR)
      const demo = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      const gone = { code: 'app_not_found' }
      await assert.rejects(store.removeApp(was, ACTOR), gone)
      await assert.rejects(store.listShares(was), gone)
      await assert.rejects(store.setShare({ app: was, account, role: 'editor' }, ACTOR), gone)
      await store.setShare({ app: demo, account, role: 'editor' }, ACTOR)
      assert.equal((await store.listShares(demo)).length, 1)
    })

    it('leave a key alone that is another one, or reaches other apps, by now', async (t) => {
      const { store } = await open(t)
      const { id } = await store.createKey(
        { ...WEB, hash: hash('1'), rules: { ...UNLIMITED, apps: ['demo'] } },
        ACTOR,
      )
      const before = [await store.listKeys(), await store.listAudit({ limit: 20 })]
      for (const guard of [{ id: 'another' }, { id, onlyApp: 'other' }, { onlyApp: 'dem' }]) {
        const none = { code: 'key_not_found' }
        await assert.rejects(store.updateKey({ ...WEB, ...guard, rules: { apps: 'all' } }, ACTOR), none)
        const rotation = { ...WEB, ...guard, hash: hash('2'), oldUntil: NOW }
        await assert.rejects(store.rotateKey(rotation, ACTOR), none)
        await assert.rejects(store.revokeKey({ ...WEB, ...guard }, ACTOR), none)
        await assert.rejects(store.endKeyTokens({ ...WEB, ...guard }, ACTOR), none)
      }
      assert.deepEqual([await store.listKeys(), await store.listAudit({ limit: 20 })], before)
      const alone = { ...WEB, id, onlyApp: 'demo' }
      await store.rotateKey({ ...alone, hash: hash('2'), oldUntil: NOW }, ACTOR)
      const { rules } = await store.updateKey({ ...alone, rules: { apps: ['demo', 'other'] } }, ACTOR)
      assert.deepEqual(rules.apps, ['demo', 'other'])
      await assert.rejects(store.revokeKey(alone, ACTOR), { code: 'key_not_found' })
      await store.updateKey({ ...WEB, rules: { apps: 'all' } }, ACTOR)
      await assert.rejects(store.revokeKey(alone, ACTOR), { code: 'key_not_found' })
      await store.revokeKey({ ...WEB, id }, ACTOR)
    })
  })
}
