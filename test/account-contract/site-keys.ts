import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KeyRules, PERMISSIONS, UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import type { AppRecord } from '../../src/storage/store.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const RULES: KeyRules = { ...UNLIMITED, permission: ['read', 'create'], apps: 'all' }
const REACH = { apps: ['todo'], websites: [], localhost: false }

export function siteKeys(database: string, open: OpenTestAccounts): void {
  const make = (store: AccountStore, app: AppRecord, character = '1') =>
    store.createSiteKey({ app, hash: hash(character), secret: `secret-${character}`, rules: RULES }, ACTOR)
  const published = async (store: AccountStore, slug = 'todo') =>
    (await store.readDirectory()).sites.get(slug)?.key

  describe(`accounts on ${database}: keys of sites`, () => {
    it('open their app alone, and of themselves to no website, whatever is wished for', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'todo', owner: null }, ACTOR)
      const key = await make(store, app)
      assert.deepEqual(key, {
        ...{ id: key.id, name: 'site todo', owner: null, rules: { ...RULES, ...REACH }, isSiteKey: true },
        ...{ secrets: [{ hash: hash('1'), until: null }], createdAt: NOW, lastUsedAt: null },
      })
      const directory = await store.readDirectory()
      assert.deepEqual([directory.keysByHash.get(hash('1')), await store.listKeys()], [key, [key]])
      assert.deepEqual(await published(store), { id: key.id, secret: 'secret-1' })
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.subject, line?.app], ['key.create', 'site todo', app.id])
      assert.doesNotMatch(line!.details, /secret-1/)
    })

    it('are one a site, and called otherwise where the name is taken', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'todo', owner: null }, ACTOR)
      await store.createKey({ owner: null, name: 'site todo', hash: hash('0'), rules: UNLIMITED }, ACTOR)
      assert.equal((await make(store, app)).name, 'site todo 2')
      const before = [await store.listKeys(), await store.listAudit({ limit: 20 })]
      await assert.rejects(make(store, app, '2'), { code: 'key_exists' })
      await assert.rejects(make(store, { ...app, id: 'another' }, '2'), { code: 'app_not_found' })
      assert.deepEqual([await store.listKeys(), await store.listAudit({ limit: 20 })], before)
    })

    it('can not be given more than their site, and what documents they reach can be changed', async (t) => {
      const { store, run } = await open(t)
      const { name } = await make(store, await store.createApp({ slug: 'todo', owner: null }, ACTOR))
      const change = (rules: Partial<KeyRules>) => store.updateKey({ owner: null, name, rules }, ACTOR)
      const before = await store.listKeys()
      const wider: Partial<KeyRules>[] = [
        { apps: 'all' },
        { apps: ['shop'] },
        { apps: ['todo', 'shop'] },
        { websites: 'all' },
        { websites: ['https://evil.example'] },
        { localhost: true },
      ]
      for (const rules of wider)
        await assert.rejects(change({ ...rules, permission: ['read'] }), { code: 'invalid_rule' })
      assert.deepEqual(await store.listKeys(), before)
      const full = { owner: null, name, rules: { permission: PERMISSIONS }, saysFull: true }
      await assert.rejects(store.updateKey(full, ACTOR), { code: 'invalid_rule', message: /name what/ })
      assert.deepEqual(await store.listKeys(), before)
      const { rules } = await change({ permission: ['read'], collections: ['tasks'], ...{ apps: ['todo'] } })
      assert.deepEqual(rules, { ...RULES, ...REACH, permission: ['read'], collections: ['tasks'] })
      await run(`UPDATE keys SET rules = '{}'`)
      await assert.rejects(change(UNLIMITED), {
        code: 'invalid_rule',
        message: /revoke it, and make another/,
      })
    })

    it('are published anew when they are rotated, and never with a secret that was given', async (t) => {
      const { store } = await open(t)
      const { id, name } = await make(store, await store.createApp({ slug: 'todo', owner: null }, ACTOR))
      const rotation = { owner: null, name, oldUntil: NOW + 1000 }
      await assert.rejects(store.rotateKey({ ...rotation, hash: hash('2') }, ACTOR), {
        code: 'invalid_rule',
        message: /published/,
      })
      assert.deepEqual(await published(store), { id, secret: 'secret-1' })
      await store.rotateKey({ ...rotation, hash: hash('2'), secret: 'secret-2' }, ACTOR)
      assert.deepEqual(await published(store), { id, secret: 'secret-2' })
      const web = { owner: null, name: 'web' }
      await store.createKey({ ...web, hash: hash('3'), rules: UNLIMITED }, ACTOR)
      await store.rotateKey({ ...rotation, ...web, hash: hash('4'), secret: 'secret-4' }, ACTOR)
      assert.deepEqual(await published(store), { id, secret: 'secret-2' })
    })

    it('are published no more when they are revoked, whichever way', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'todo', owner: null }, ACTOR)
      const { name } = await make(store, app)
      await store.revokeSiteKey(app, ACTOR)
      assert.deepEqual([await published(store), await store.listKeys()], [null, []])
      assert.deepEqual((await store.listAudit({ limit: 1 }))[0]?.subject, name)
      await assert.rejects(store.revokeSiteKey(app, ACTOR), { code: 'key_not_found' })
      await make(store, app, '2')
      await store.revokeKey({ owner: null, name }, ACTOR)
      assert.equal(await published(store), null)
      await make(store, app, '3')
    })

    it('go with their app, for whoever reads the site has them', async (t) => {
      const { store } = await open(t)
      const app = await store.createApp({ slug: 'todo', owner: null }, ACTOR)
      await make(store, app)
      await store.deleteApp(app, ACTOR)
      assert.equal(await published(store), undefined)
      await store.restoreApp(app, ACTOR)
      assert.equal((await published(store))?.secret, 'secret-1')
      await store.removeApp(app, ACTOR)
      assert.deepEqual(await store.listKeys(), [])
    })

    it("stay those of their site where the app becomes the operator's", async (t) => {
      const { store } = await open(t)
      const { id: owner } = await newAccount(store, 'ada')
      const { id } = await make(store, await store.createApp({ slug: 'todo', owner }, ACTOR))
      await store.deleteAccount({ id: owner, apps: 'operator' }, ACTOR)
      const [key] = await store.listKeys({ owner: null })
      assert.deepEqual([key?.id, key?.isSiteKey, (await published(store))?.id], [id, true, id])
    })
  })
}
