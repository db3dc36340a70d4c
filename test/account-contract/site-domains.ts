import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AppRecord } from '../../src/storage/store.ts'
import { ACTOR, NOW, type OpenTestAccounts } from './harness.ts'

const DOMAIN = 'shop.example.org'

export function siteDomains(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: domains of sites`, () => {
    it('wait for any number of apps, and are verified for one', async (t) => {
      const { store, clock, run } = await open(t)
      const [shop, other] = [await newApp(store, 'shop'), await newApp(store, 'other')]
      await run(`INSERT INTO sites (app, live, last_version, kept) VALUES ('${shop.id}', NULL, 1, 20)`)
      const first = await store.createSiteDomain({ app: shop, domain: DOMAIN, token: 'a' }, ACTOR)
      assert.deepEqual(first, { domain: DOMAIN, token: 'a', createdAt: NOW, verifiedAt: null })
      clock.now += 1
      const again = await store.createSiteDomain({ app: shop, domain: DOMAIN, token: 'b' }, ACTOR)
      assert.deepEqual(again, first)
      await store.createSiteDomain({ app: other, domain: DOMAIN, token: 'c' }, ACTOR)
      assert.deepEqual((await store.readDirectory()).sites.get('shop')?.domains, [])
      const verified = await store.verifySiteDomain(proved(shop, 'a'), ACTOR)
      assert.deepEqual(verified, { ...first, verifiedAt: NOW + 1 })
      assert.deepEqual((await store.readDirectory()).sites.get('shop')?.domains, [DOMAIN])
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line?.action, line?.subject, line?.app, line?.details],
        ['domain.verify', 'shop', shop.id, `{"domain":"${DOMAIN}"}`],
      )
    })

    it('move to the app that has shown last by a record that they are its own', async (t) => {
      const { store } = await open(t)
      const [shop, other] = [await newApp(store, 'shop'), await newApp(store, 'other')]
      await store.createSiteDomain({ app: shop, domain: DOMAIN, token: 'a' }, ACTOR)
      await store.createSiteDomain({ app: other, domain: DOMAIN, token: 'b' }, ACTOR)
      await store.verifySiteDomain(proved(shop, 'a'), ACTOR)
      const byFile = { ...proved(other, 'b'), isByRecord: false }
      await assert.rejects(store.verifySiteDomain(byFile, ACTOR), { code: 'domain_taken' })
      await store.verifySiteDomain(proved(other, 'b'), ACTOR)
      const stateOf = async ({ id }: { id: string }) =>
        (await store.listSiteDomains(id)).map(({ token, verifiedAt }) => [token, verifiedAt])
      assert.deepEqual([await stateOf(shop), await stateOf(other)], [[['next', null]], [['b', NOW]]])
      await assert.rejects(store.verifySiteDomain(proved(shop, 'a'), ACTOR), { code: 'domain_not_found' })
      const lines = await store.listAudit({ limit: 2 })
      assert.deepEqual(
        lines.map(({ action, subject, app, actor }) => [action, subject, app, actor]),
        [
          ['domain.verify', 'other', other.id, ACTOR],
          ['domain.lose', 'shop', shop.id, 'server'],
        ],
      )
    })

    it('are free again when they are removed, or their app is deleted', async (t) => {
      const { store } = await open(t)
      const [shop, other, third] = [
        await newApp(store, 'shop'),
        await newApp(store, 'other'),
        await newApp(store, 'third'),
      ]
      for (const app of [shop, other, third])
        await store.createSiteDomain({ app, domain: DOMAIN, token: app.slug }, ACTOR)
      const verify = (app: typeof shop) =>
        store.verifySiteDomain({ ...proved(app, app.slug), isByRecord: false }, ACTOR)
      await verify(shop)
      await store.deleteSiteDomain({ app: shop, domain: DOMAIN }, ACTOR)
      await verify(other)
      await store.deleteApp(other, ACTOR)
      await verify(third)
      assert.deepEqual((await store.listSiteDomains(other.id))[0]?.verifiedAt, null)
      assert.deepEqual(await store.listSiteDomains(shop.id), [])
    })

    it('are refused where there is none, its token is another one, or there are 20', async (t) => {
      const { store } = await open(t)
      const app = await newApp(store, 'shop')
      const missing = { code: 'domain_not_found' }
      await assert.rejects(store.deleteSiteDomain({ app, domain: DOMAIN }, ACTOR), missing)
      await assert.rejects(store.verifySiteDomain(proved(app, 'a'), ACTOR), missing)
      for (let n = 0; n < 20; n += 1)
        await store.createSiteDomain({ app, domain: `${n}.example.org`, token: 'a' }, ACTOR)
      const one = { ...proved(app, 'b'), domain: '0.example.org' }
      await assert.rejects(store.verifySiteDomain(one, ACTOR), missing)
      await assert.rejects(store.createSiteDomain({ app, domain: DOMAIN, token: 'a' }, ACTOR), {
        code: 'too_many_domains',
      })
    })
  })
}

function proved(app: AppRecord, token: string) {
  return { app, domain: DOMAIN, token, isByRecord: true, nextToken: 'next' }
}

function newApp(store: Awaited<ReturnType<OpenTestAccounts>>['store'], slug: string) {
  return store.createApp({ slug, owner: null }, ACTOR)
}
