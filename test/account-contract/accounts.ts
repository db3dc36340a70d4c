import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const ADA = { email: 'ada@example.org', name: 'Ada', password: '$argon2id$ada' }
const BY_ADA = { hash: hash('1'), account: ADA, address: '192.0.2.1' }

export function accountsAndLinks(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}`, () => {
    it('are found by their id and by their e-mail in any letter case, which is taken once', async (t) => {
      const { store } = await open(t)
      const made = await store.createAccount({ ...ADA, email: 'Ada@Exämple.org', isOperator: true }, ACTOR)
      const { id } = made
      assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
      assert.deepEqual(made, {
        ...{ id, email: 'Ada@Exämple.org', name: 'Ada', isOperator: true, hasTotp: false, createdAt: NOW },
      })
      for (const by of [{ id }, { email: 'ada@EXÄMPLE.org' }, { email: 'ada@exa\u0308mple.org' }])
        assert.deepEqual(await store.findAccount(by), made)
      for (const by of [{ id: '' }, { email: '' }, { email: 'ada@exämple.or_' }, { email: "' OR 1=1 --" }])
        assert.equal(await store.findAccount(by), undefined)
      await assert.rejects(
        store.createAccount({ ...ADA, email: 'ADA@exämple.org', isOperator: false }, ACTOR),
        {
          code: 'account_exists',
        },
      )
      assert.deepEqual([await store.countAccounts(), await store.listAccounts()], [1, [made]])
      assert.deepEqual(await store.findCredentials({ id }), {
        ...{ account: made, password: ADA.password, totp: undefined, recoveryCodes: 0 },
      })
    })

    it('are listed by their e-mail, some at a time, and found by a part of it', async (t) => {
      const { store } = await open(t)
      for (const name of ['Eve', 'bob', 'ÄDA', 'carl', 'a%b']) await newAccount(store, name)
      const list = async (filter: Parameters<AccountStore['listAccounts']>[0]) =>
        (await store.listAccounts(filter)).map(({ email }) => email)
      const all = await list({})
      assert.deepEqual(
        all.toSorted(),
        ['Eve', 'a%b', 'bob', 'carl', 'ÄDA'].map((name) => `${name}@example.org`),
      )
      assert.deepEqual(await list({ limit: 2 }), all.slice(0, 2))
      assert.deepEqual(await list({ limit: 2, after: all[1]!.toUpperCase() }), all.slice(2, 4))
      assert.deepEqual(await list({ after: all[4]! }), [])
      assert.deepEqual(await list({ email: 'VE@' }), ['Eve@example.org'])
      assert.deepEqual(await list({ email: 'äda' }), ['ÄDA@example.org'])
      assert.deepEqual(await list({ email: '%' }), ['a%b@example.org'])
    })

    it('are made by whoever asks for one, as no operator, where there is one already', async (t) => {
      const { store } = await open(t)
      const ask = () => store.signUp({ account: ADA, address: '192.0.2.1' })
      await assert.rejects(ask, { code: 'permission_denied' })
      await newAccount(store, 'grace', true)
      const made = await ask()
      assert.deepEqual([made.email, made.isOperator], [ADA.email, false])
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line?.action, line?.actor, line?.account, line?.address],
        ['account.create', ADA.email, made.id, '192.0.2.1'],
      )
      await assert.rejects(ask, { code: 'account_exists' })
    })

    it('change what is given, and never lose the last operator', async (t) => {
      const { store } = await open(t)
      const ada = await newAccount(store, 'ada', true)
      const bob = await newAccount(store, 'bob')
      const change = { id: bob.id, email: 'robert@example.org', name: 'Robert' }
      assert.deepEqual(await store.updateAccount(change, ACTOR), { ...bob, ...change })
      await assert.rejects(store.updateAccount({ id: bob.id, email: 'ADA@example.org' }, ACTOR), {
        code: 'account_exists',
      })
      await assert.rejects(store.updateAccount({ id: 'nobody', name: 'x' }, ACTOR), {
        code: 'account_not_found',
      })
      const last = { code: 'last_operator' }
      await assert.rejects(store.updateAccount({ id: ada.id, isOperator: false }, ACTOR), last)
      await assert.rejects(store.deleteAccount({ id: ada.id, apps: 'delete' }, ACTOR), last)
      await store.updateAccount({ id: bob.id, isOperator: true }, ACTOR)
      assert.equal((await store.updateAccount({ id: ada.id, isOperator: false }, ACTOR)).isOperator, false)
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line?.action, line?.subject, line?.details],
        ['account.update', ada.email, '{"isOperator":false}'],
      )
    })

    it('end all other sessions with another password, and keep it out of the audit trail', async (t) => {
      const { store } = await open(t)
      const { id } = await newAccount(store, 'ada')
      const session = (letter: string) =>
        store.createSession({ way: 'password', account: id, hash: hash(letter), address: '', userAgent: '' })
      await session('a')
      const kept = await session('b')
      await store.rehashPassword({ id, from: '$argon2id$of-ada', to: '$argon2id$anew' })
      await store.rehashPassword({ id, from: '$argon2id$of-ada', to: '$argon2id$late' })
      assert.equal((await store.findCredentials({ id }))?.password, '$argon2id$anew')
      assert.equal((await store.listSessions(id)).length, 2, 'the same password ends nothing')
      await store.updateAccount({ id, password: '$argon2id$other', keepSession: kept.id }, ACTOR)
      assert.deepEqual(await store.listSessions(id), [kept])
      assert.equal(await store.findSession(hash('a')), undefined)
      await store.updateAccount({ id, password: '$argon2id$third' }, ACTOR)
      assert.deepEqual(await store.listSessions(id), [])
      for (const { details } of await store.listAudit({ limit: 10 })) assert.ok(!details.includes('argon2'))
    })

    it('keep preferences', async (t) => {
      const { store } = await open(t)
      const { id } = await newAccount(store, 'ada')
      assert.equal(await store.getPreferences(id), '{}')
      await store.putPreferences({ account: id, preferences: '{"a":"é"}' })
      assert.equal(await store.getPreferences(id), '{"a":"é"}')
      await assert.rejects(store.getPreferences('nobody'), { code: 'account_not_found' })
      await assert.rejects(store.putPreferences({ account: 'nobody', preferences: '{}' }), {
        code: 'account_not_found',
      })
    })

    it('make one account by a link for setting up, of two that use it at once', async (t) => {
      const { store, open: again } = await open(t)
      await store.createLink({ hash: hash('0'), purpose: 'setup', until: NOW + 9 }, 'start')
      await store.createLink({ hash: hash('1'), purpose: 'setup', until: NOW + 9 }, 'start')
      assert.equal(await store.findLink(hash('0')), undefined, 'the newest alone is good')
      assert.deepEqual(await store.findLink(hash('1')), { purpose: 'setup', hash: hash('1'), until: NOW + 9 })
      const stores = database === 'PostgreSQL' ? [store, await again()] : [store, store]
      const uses = stores.map((each, index) =>
        each.useLinkForAccount({ ...BY_ADA, account: { ...ADA, email: `${index}@example.org` } }),
      )
      const results = await Promise.allSettled(uses)
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const [account, ...others] = await store.listAccounts()
      assert.deepEqual([account?.isOperator, others], [true, []])
      await assert.rejects(store.useLinkForAccount(BY_ADA), { code: 'invalid_link' })
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line?.account, line?.actor, line?.address],
        [account?.id, account?.email, '192.0.2.1'],
      )
    })

    it('are not set up again where there is one, whoever has a link', async (t) => {
      const { store } = await open(t)
      await store.createLink({ hash: hash('1'), purpose: 'setup', until: NOW + 9 }, 'start')
      await newAccount(store, 'bob')
      await assert.rejects(store.useLinkForAccount(BY_ADA), { code: 'invalid_link' })
      assert.equal(await store.countAccounts(), 1)
    })

    it('come by an invitation, once, before its end, and for the address that it names', async (t) => {
      const { store, clock } = await open(t)
      const invite = { purpose: 'invite', isOperator: false, until: NOW + 9 } as const
      await store.createLink({ ...invite, hash: hash('1'), email: 'ADA@example.org' }, ACTOR)
      await store.createLink({ ...invite, hash: hash('2'), email: null, isOperator: true }, ACTOR)
      const other = { ...ADA, email: 'mallory@example.org' }
      await assert.rejects(store.useLinkForAccount({ ...BY_ADA, account: other }), { code: 'invalid_link' })
      await assert.rejects(store.useLinkForPassword({ ...BY_ADA, password: 'x' }), { code: 'invalid_link' })
      assert.equal((await store.useLinkForAccount(BY_ADA)).isOperator, false)
      await assert.rejects(store.useLinkForAccount({ ...BY_ADA, account: other }), { code: 'invalid_link' })
      // What fails uses nothing up.
      await assert.rejects(store.useLinkForAccount({ ...BY_ADA, hash: hash('2') }), {
        code: 'account_exists',
      })
      clock.now = NOW + 9
      await assert.rejects(store.useLinkForAccount({ ...BY_ADA, hash: hash('2'), account: other }), {
        code: 'invalid_link',
      })
      clock.now = NOW + 8
      assert.equal(
        (await store.useLinkForAccount({ ...BY_ADA, hash: hash('2'), account: other })).isOperator,
        true,
      )
      for (const { details } of await store.listAudit({ limit: 10 }))
        assert.ok(!details.includes(hash('1')) && !details.includes(hash('2')))
    })

    it('get another password by a link, the newest alone, which ends their sessions', async (t) => {
      const { store } = await open(t)
      const { id } = await newAccount(store, 'ada')
      await store.createSession({ way: 'password', account: id, hash: hash('a'), address: '', userAgent: '' })
      const reset = { purpose: 'reset', account: id, until: NOW + 9 } as const
      await store.createLink({ ...reset, hash: hash('1') }, ACTOR)
      await store.createLink({ ...reset, hash: hash('2') }, ACTOR)
      await assert.rejects(store.createLink({ ...reset, hash: hash('3'), account: 'nobody' }, ACTOR), {
        code: 'account_not_found',
      })
      const use = { password: '$argon2id$new', address: '192.0.2.1' }
      await assert.rejects(store.useLinkForPassword({ ...use, hash: hash('1') }), { code: 'invalid_link' })
      await assert.rejects(store.useLinkForAccount({ ...BY_ADA, hash: hash('2') }), { code: 'invalid_link' })
      assert.equal((await store.useLinkForPassword({ ...use, hash: hash('2') })).id, id)
      await assert.rejects(store.useLinkForPassword({ ...use, hash: hash('2') }), { code: 'invalid_link' })
      assert.equal((await store.findCredentials({ id }))?.password, '$argon2id$new')
      assert.deepEqual(await store.listSessions(id), [])
      await store.createLink({ ...reset, hash: hash('4') }, ACTOR)
      await store.updateAccount({ id, email: 'new@example.org' }, ACTOR)
      assert.equal(await store.findLink(hash('4')), undefined, 'it went to the old address')
    })

    it('share their apps, and have what is theirs, shared with them, or the operator’s', async (t) => {
      const { store } = await open(t)
      const ada = await newAccount(store, 'ada', true)
      const bob = await newAccount(store, 'bob')
      await store.createApp({ slug: 'free', owner: null }, ACTOR)
      await store.createApp({ slug: 'bobs', owner: bob.id }, ACTOR)
      const appsOf = async (account: string) =>
        (await store.listAppsOf(account)).map(({ app, role }) => [app.slug, role])
      assert.deepEqual(
        [await appsOf(ada.id), await appsOf(bob.id)],
        [[['free', 'owner']], [['bobs', 'owner']]],
      )
      await store.setShare({ app: 'bobs', account: ada.id, role: 'viewer' }, ACTOR)
      await store.setShare({ app: 'free', account: bob.id, role: 'editor' }, ACTOR)
      assert.deepEqual(await appsOf(ada.id), [
        ['bobs', 'viewer'],
        ['free', 'owner'],
      ])
      assert.equal((await store.findAppOf({ account: bob.id, slug: 'free' }))?.role, 'editor')
      assert.deepEqual(await store.listShares('bobs'), [{ account: ada, role: 'viewer' }])
      await store.setShare({ app: 'bobs', account: ada.id, role: null }, ACTOR)
      assert.equal(await store.findAppOf({ account: ada.id, slug: 'bobs' }), undefined)
      assert.equal(await store.findAppOf({ account: 'nobody', slug: 'free' }), undefined)
      await assert.rejects(store.setShare({ app: 'none', account: ada.id, role: 'editor' }, ACTOR), {
        code: 'app_not_found',
      })
      await assert.rejects(store.setShare({ app: 'free', account: 'nobody', role: 'editor' }, ACTOR), {
        code: 'account_not_found',
      })
    })

    it('have a line for what they do to indexes and collections', async (t) => {
      const { store } = await open(t)
      const app = (await store.createApp({ slug: 'free', owner: null }, ACTOR)).id
      await store.noteIndex({ action: 'index.drop', app, collection: 'c', fields: 'a,b:-1' }, ACTOR)
      const renamed = { action: 'collection.rename', app, collection: 'c', documents: 7, name: 'd' } as const
      await store.noteCollection(renamed, ACTOR)
      const lines = await store.listAudit({ limit: 2, app })
      assert.deepEqual(
        lines.map(({ action, subject, details }) => [action, subject, details]),
        [
          ['collection.rename', 'c', '{"documents":7,"name":"d"}'],
          ['index.drop', 'c', '{"fields":"a,b:-1"}'],
        ],
      )
    })

    it('take their apps and keys with them', async (t) => {
      const { store, documents } = await open(t)
      const bob = await withApps(store)
      await store.deleteAccount({ id: bob, apps: 'delete' }, ACTOR)
      assert.deepEqual(
        (await store.listApps()).map(({ slug }) => slug),
        ['free'],
      )
      assert.deepEqual(
        (await store.listKeys()).map(({ owner }) => owner),
        [null],
      )
      assert.equal(documents().length, 1)
      assert.equal(await store.findSession(hash('a')), undefined)
    })

    it('leave their apps to the operator, with keys that can do no more than before', async (t) => {
      const { store, documents } = await open(t)
      const bob = await withApps(store)
      await store.deleteAccount({ id: bob, apps: 'operator' }, ACTOR)
      assert.deepEqual(
        (await store.listApps()).map(({ slug, owner }) => [slug, owner]),
        [
          ['bobs', null],
          ['free', null],
          ['more', null],
        ],
      )
      assert.equal(documents().length, 3)
      const { keysByHash } = await store.readDirectory()
      const reach = ['1', '2', '3', '4'].map((letter) => keysByHash.get(hash(letter))?.rules.apps)
      assert.deepEqual(reach, ['all', ['bobs', 'more'], ['more'], undefined])
      assert.match(keysByHash.get(hash('2'))?.name ?? '', /^web [0-9A-Z]{26}$/)
      assert.equal(keysByHash.get(hash('3'))?.name, 'some')
    })
  })
}

/** The operator's app and key; Bob's two apps and three keys, one of which names an app that isn't his. */
async function withApps(store: AccountStore): Promise<string> {
  const { id } = await newAccount(store, 'bob')
  await store.createApp({ slug: 'free', owner: null }, ACTOR)
  for (const slug of ['bobs', 'more']) await store.createApp({ slug, owner: id }, ACTOR)
  const rules = (apps: 'all' | string[]) => ({ ...UNLIMITED, apps })
  await store.createKey({ owner: null, name: 'web', hash: hash('1'), rules: rules('all') }, ACTOR)
  await store.createKey({ owner: id, name: 'web', hash: hash('2'), rules: rules('all') }, ACTOR)
  await store.createKey({ owner: id, name: 'some', hash: hash('3'), rules: rules(['free', 'more']) }, ACTOR)
  await store.createKey({ owner: id, name: 'free', hash: hash('4'), rules: rules(['free']) }, ACTOR)
  await store.createSession({ way: 'password', account: id, hash: hash('a'), address: '', userAgent: '' })
  return id
}
