import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const GONE = { code: 'app_not_found' }

const slugs = (apps: readonly { readonly slug: string }[]): string[] => apps.map(({ slug }) => slug)
const served = async (store: AccountStore): Promise<string[]> => [
  ...(await store.readDirectory()).apps.keys(),
]

export function deletedApps(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: a deleted app`, () => {
    it('can be found by nobody as an app, and deleted once', async (t) => {
      const { store, documents } = await open(t)
      const ada = await newAccount(store, 'ada')
      const app = await store.createApp({ slug: 'demo', owner: ada.id }, ACTOR)
      const deleted = await store.deleteApp('demo', ACTOR)
      assert.deepEqual(deleted, { ...app, deletedAt: NOW, restorableUntil: NOW + WEEK_MS })
      assert.deepEqual([await served(store), await store.listApps()], [[], []])
      assert.deepEqual(await store.listAppsOf(ada.id), [])
      assert.equal(await store.findAppOf({ account: ada.id, slug: 'demo' }), undefined)
      await assert.rejects(store.deleteApp('demo', ACTOR), GONE)
      await assert.rejects(store.listShares('demo'), GONE)
      await assert.rejects(store.setShare({ app, account: ada.id, role: 'viewer' }, ACTOR), GONE)
      await assert.rejects(store.setAutoIndex({ app: 'demo', isOn: false }, ACTOR), GONE)
      assert.deepEqual(documents(), [app.id], 'its documents stay')
    })

    it('comes back as it was, with its shares, its keys and the same id', async (t) => {
      const { store, clock, documents } = await open(t)
      const [ada, bob] = [await newAccount(store, 'ada'), await newAccount(store, 'bob')]
      const app = await store.createApp({ slug: 'demo', owner: ada.id }, ACTOR)
      await store.setShare({ app, account: bob.id, role: 'editor' }, ACTOR)
      const rules = { ...UNLIMITED, apps: ['demo'] }
      await store.createKey({ owner: ada.id, name: 'web', hash: hash('1'), rules }, ACTOR)
      const state = async () => [
        await store.readDirectory(),
        await store.listShares('demo'),
        await store.listAppsOf(bob.id),
        documents(),
      ]
      const before = await state()
      await store.deleteApp(app, ACTOR)
      clock.now += WEEK_MS - 1
      assert.deepEqual(await store.restoreApp('demo', ACTOR), app)
      assert.deepEqual(await state(), before)
      assert.deepEqual(await store.listDeletedApps(), [])
      await assert.rejects(store.restoreApp('demo', ACTOR), GONE)
      const trail = await store.listAudit({ limit: 2, app: app.id })
      assert.deepEqual(
        trail.map(({ action, subject }) => [action, subject]),
        [
          ['app.restore', 'demo'],
          ['app.delete', 'demo'],
        ],
      )
    })

    it('is listed for its owner alone, and that of an operator for all operators', async (t) => {
      const { store } = await open(t)
      const [ada, bob] = [await newAccount(store, 'ada'), await newAccount(store, 'bob')]
      const root = await newAccount(store, 'root', true)
      for (const [slug, owner] of [
        ['of-ada', ada.id],
        ['of-operator', null],
      ] as const) {
        const app = await store.createApp({ slug, owner }, ACTOR)
        await store.setShare({ app, account: bob.id, role: 'editor' }, ACTOR)
        await store.deleteApp(app, ACTOR)
      }
      const of = async ({ id }: { readonly id: string }) => slugs(await store.listDeletedAppsOf(id))
      assert.deepEqual([await of(ada), await of(bob), await of(root)], [['of-ada'], [], ['of-operator']])
      assert.deepEqual(slugs(await store.listDeletedApps()), ['of-ada', 'of-operator'])
      assert.deepEqual(await store.listDeletedAppsOf('nobody'), [])
    })

    it('keeps its slug and its room until it is removed, and tells nobody but its owner why', async (t) => {
      const { open: again, documents } = await open(t)
      const store = await again({ apps: 1, keys: 1 })
      const ada = await newAccount(store, 'ada')
      const app = await store.createApp({ slug: 'demo', owner: ada.id }, ACTOR)
      await store.deleteApp(app, ACTOR)
      const create = (slug: string, owner: string | null) => store.createApp({ slug, owner }, ACTOR)
      await assert.rejects(create('demo', ada.id), { code: 'app_exists', message: /was deleted and can be/ })
      await assert.rejects(create('demo', null), {
        code: 'app_exists',
        message: 'there is an app "demo" already',
      })
      await assert.rejects(create('other', null), { code: 'too_many_apps' })
      await store.removeApp('demo', ACTOR)
      assert.deepEqual([documents(), await store.listDeletedApps()], [[], []])
      const next = await create('demo', null)
      await assert.rejects(store.removeApp(app, ACTOR), GONE, 'the slug is another one’s by then')
      await assert.rejects(store.restoreApp(app, ACTOR), GONE)
      assert.deepEqual(await store.listApps(), [next])
    })

    it('is gone after seven days, whoever looks first', async (t) => {
      const { store, clock, open: again, documents } = await open(t)
      for (const slug of ['a', 'b']) await store.createApp({ slug, owner: null }, ACTOR)
      await store.deleteApp('a', ACTOR)
      clock.now += WEEK_MS
      await assert.rejects(store.restoreApp('a', ACTOR), GONE)
      assert.deepEqual(await store.listDeletedApps(), [])
      assert.equal(documents().length, 2)
      await store.createApp({ slug: 'a', owner: null }, ACTOR)
      assert.equal(documents().length, 2, 'one that is made takes its room')
      await store.deleteApp('a', ACTOR)
      clock.now += WEEK_MS
      await store.deleteApp('b', ACTOR)
      assert.equal(documents().length, 1, 'as does one that is deleted')
      clock.now += WEEK_MS
      await again()
      assert.deepEqual(documents(), [], 'and a start')
      await store.createApp({ slug: 'c', owner: null }, ACTOR)
      await store.deleteApp('c', ACTOR)
      clock.now += WEEK_MS
      await store.tidy()
      assert.deepEqual(documents(), [], 'and upkeep')
    })

    it('goes with its account, or becomes the operator’s with keys that open it again', async (t) => {
      const { store, documents } = await open(t)
      const root = await newAccount(store, 'root', true)
      const [ada, bob] = [await newAccount(store, 'ada'), await newAccount(store, 'bob')]
      for (const { id, name } of [ada, bob]) {
        await store.createApp({ slug: `of-${name}`, owner: id }, ACTOR)
        await store.createKey({ owner: id, name, hash: hash(name[0]!), rules: UNLIMITED }, ACTOR)
        await store.deleteApp(`of-${name}`, ACTOR)
      }
      await store.deleteAccount({ id: ada.id, apps: 'delete' }, ACTOR)
      await store.deleteAccount({ id: bob.id, apps: 'operator' }, ACTOR)
      assert.equal(documents().length, 1)
      assert.deepEqual(slugs(await store.listDeletedAppsOf(root.id)), ['of-bob'])
      const { owner } = await store.restoreApp('of-bob', ACTOR)
      const keys = await store.listKeys()
      assert.deepEqual(
        [owner, keys.map(({ name, rules }) => [name, rules.apps])],
        [null, [['bob', ['of-bob']]]],
      )
    })
  })
}
