import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { NO_QUOTA } from '../../src/domain/quota.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { ACTOR, hash, newAccount, type OpenTestAccounts } from './harness.ts'

const codesOf = async (made: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(made)).map((each) => (each.status === 'rejected' ? each.reason.code : 'made'))

const newKey = (store: AccountStore, owner: string | null, name: string) =>
  store.createKey({ owner, name, hash: hash(name), rules: UNLIMITED }, ACTOR)

export function quotas(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: what an account may have`, () => {
    it('is not limited until somebody says so, and is what one account has of its own before what all have', async (t) => {
      const { store } = await open(t)
      const { id } = await newAccount(store, 'ada')
      assert.deepEqual(await store.findDefaultQuota(), NO_QUOTA)
      assert.deepEqual(await store.findQuota(id), { own: null, limits: NO_QUOTA })
      assert.equal((await store.readDirectory()).quotas, undefined)
      const forAll = { apps: 3, keys: 5, bytes: 1000, requestsPerDay: 7 }
      await store.putDefaultQuota(forAll, ACTOR)
      assert.deepEqual(await store.findQuota(id), { own: null, limits: forAll })
      await store.putQuota({ account: id, quota: { keys: null, bytes: 0 } }, ACTOR)
      const limits = { apps: 3, keys: null, bytes: 0, requestsPerDay: 7 }
      assert.deepEqual(await store.findQuota(id), { own: { keys: null, bytes: 0 }, limits })
      const directory = await store.readDirectory()
      assert.deepEqual(directory.quotas, { forAll, byAccount: new Map([[id, limits]]) })
      await store.putQuota({ account: id, quota: null }, ACTOR)
      assert.deepEqual(await store.findQuota(id), { own: null, limits: forAll })
      const missing = { code: 'account_not_found' }
      await assert.rejects(store.findQuota('none'), missing)
      await assert.rejects(store.putQuota({ account: 'none', quota: {} }, ACTOR), missing)
      assert.deepEqual(
        (await store.listAudit({ limit: 3 })).map(({ action, subject, details }) => [
          action,
          subject,
          JSON.parse(details),
        ]),
        [
          ['account.quota', 'ada@example.org', { default: true }],
          ['account.quota', 'ada@example.org', { keys: null, bytes: 0 }],
          ['server.quota', 'server', forAll],
        ],
      )
    })

    it('is held to by all that make apps and keys at once, deleted apps counted, and by no other owner', async (t) => {
      const { store } = await open(t)
      const { id: owner } = await newAccount(store, 'ada')
      const { id: another } = await newAccount(store, 'bob')
      await store.putDefaultQuota({ ...NO_QUOTA, apps: 1, keys: 1 }, ACTOR)
      const apps = ['a', 'b'].map((slug) => store.createApp({ slug, owner }, ACTOR))
      assert.deepEqual((await codesOf(apps)).sort(), ['made', 'quota_exceeded'])
      const keys = ['1', '2'].map((name) => newKey(store, owner, name))
      assert.deepEqual((await codesOf(keys)).sort(), ['made', 'quota_exceeded'])
      assert.deepEqual(await store.countOwned(owner), { apps: 1, keys: 1 })
      const [app] = await store.listApps()
      await store.deleteApp(app!, ACTOR)
      const message = /the quota of this account is 1 app, with those that can be restored; remove one/
      await assert.rejects(store.createApp({ slug: 'c', owner }, ACTOR), { code: 'quota_exceeded', message })
      await store.removeApp(app!, ACTOR)
      await store.createApp({ slug: 'c', owner }, ACTOR)
      await store.createApp({ slug: 'd', owner: another }, ACTOR)
      for (const slug of ['e', 'f']) await store.createApp({ slug, owner: null }, ACTOR)
      await store.putQuota({ account: owner, quota: { apps: 2 } }, ACTOR)
      await store.createApp({ slug: 'g', owner }, ACTOR)
      assert.deepEqual(await store.countOwned(null), { apps: 2, keys: 0 })
    })

    it('limits nothing where it can not be read, which the log is told of, and goes with the account', async (t) => {
      const { store, run } = await open(t)
      const { id } = await newAccount(store, 'ada')
      await newAccount(store, 'operator', true)
      const limits = { ...NO_QUOTA, apps: 0 }
      await store.putDefaultQuota(limits, ACTOR)
      await store.putQuota({ account: id, quota: { apps: 1 } }, ACTOR)
      await run(`UPDATE account_quotas SET quota = '{"apps":-1}'`)
      assert.deepEqual(await store.findQuota(id), { own: {}, limits })
      const { damages, quotas } = await store.readDirectory()
      assert.deepEqual(quotas?.byAccount.get(id), limits)
      assert.match(
        damages.join(),
        /the quota of the account ".*" can't be read, and what holds for all holds for it/,
      )
      await store.deleteAccount({ id, apps: 'delete' }, ACTOR)
      assert.deepEqual((await store.readDirectory()).quotas?.byAccount, new Map())
    })
  })
}
