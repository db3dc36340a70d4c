import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NewIdentity } from '../../src/storage/account-records.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const FROM = { address: '192.0.2.1', userAgent: 'Firefox' }
const ISSUER = 'https://id.example.org'
const OPEN = { passkeyHost: null, issuer: ISSUER }

const identity = (subject: string, issuer = ISSUER): NewIdentity => ({
  issuer,
  subject,
  email: 'a@example.org',
})

export function identities(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: identities`, () => {
    it('are of one account each, by issuer and subject, with a line in the audit trail', async (t) => {
      const { store, clock } = await open(t)
      const [ada, bob] = [await newAccount(store, 'ada'), await newAccount(store, 'bob')]
      const connect = (account: string, one: NewIdentity) =>
        store.connectIdentity({ account, identity: one }, ACTOR)
      const first = await connect(ada.id, identity('s'))
      assert.deepEqual({ ...identity('s'), createdAt: NOW, lastUsedAt: null, id: first.id }, first)
      assert.match(first.id, /^[\w-]{43}$/)
      assert.deepEqual(await connect(ada.id, identity('s')), first)
      await assert.rejects(connect(bob.id, identity('s')), { code: 'identity_taken' })
      clock.now += 1
      const second = await connect(bob.id, identity('s', `${ISSUER}/`))
      assert.deepEqual(await store.findIdentity(identity('s')), ada)
      assert.deepEqual(await store.findIdentity(second), bob)
      assert.equal(await store.findIdentity(identity('S')), undefined)
      assert.deepEqual(await store.listIdentities(ada.id), [first])
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line?.action, line?.subject, line?.details],
        ['identity.connect', bob.email, `{"issuer":"${ISSUER}/","email":"a@example.org"}`],
      )
      await assert.rejects(connect('nobody', identity('t')), { code: 'account_not_found' })
    })

    it('are at most twenty of one account', async (t) => {
      const { store } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const connect = (number: number) =>
        store.connectIdentity({ account, identity: identity(`s${number}`) }, ACTOR)
      for (let number = 0; number < 20; number++) await connect(number)
      await assert.rejects(connect(20), { code: 'too_many_identities' })
      await connect(19)
    })

    it('make an account and are its own, or neither', async (t) => {
      const { store } = await open(t)
      await newAccount(store, 'ada')
      const account = { email: 'bob@example.org', name: 'Bob', password: '', identity: identity('s') }
      const bob = await store.signUp({ account, address: '192.0.2.1' })
      assert.deepEqual(await store.findIdentity(identity('s')), bob)
      const again = { ...account, email: 'eve@example.org' }
      await assert.rejects(store.signUp({ account: again, address: '192.0.2.1' }), { code: 'identity_taken' })
      assert.equal(await store.findAccount({ email: 'eve@example.org' }), undefined)
    })

    it('begin no session of another account, or once they are gone', async (t) => {
      const { store, clock } = await open(t)
      const [ada, bob] = [await newAccount(store, 'ada'), await newAccount(store, 'bob')]
      const { id } = await store.connectIdentity({ account: ada.id, identity: identity('s') }, ACTOR)
      const begin = (account: string, letter: string, authenticatedAt?: number) =>
        store.createSession({
          ...{ account, hash: hash(letter), identity: identity('s'), way: 'oidc', ...FROM },
          ...(authenticatedAt !== undefined && { authenticatedAt }),
        })
      clock.now += 5
      const session = await begin(ada.id, 'a', NOW)
      assert.deepEqual([session.createdAt, session.authenticatedAt], [NOW + 5, NOW])
      assert.deepEqual((await store.findSession(hash('a')))?.session, session)
      // The provider's clock is ahead.
      assert.equal((await begin(ada.id, 'b', NOW + 60_000)).authenticatedAt, NOW + 5)
      assert.equal((await store.listIdentities(ada.id))[0]?.lastUsedAt, NOW + 5)
      await assert.rejects(begin(bob.id, 'c'), { code: 'invalid_credentials' })
      await store.disconnectIdentity({ account: ada.id, id, keepSession: session.id, open: OPEN }, ACTOR)
      assert.deepEqual(await store.listSessions(ada.id), [session])
      await assert.rejects(begin(ada.id, 'd'), { code: 'invalid_credentials' })
    })

    it('are kept where they are the last way in, and go with their account', async (t) => {
      const { store } = await open(t)
      await newAccount(store, 'ada')
      const account = { email: 'bob@example.org', name: 'Bob', password: '', identity: identity('s') }
      const bob = await store.signUp({ account, address: '192.0.2.1' })
      const other = await store.connectIdentity({ account: bob.id, identity: identity('t') }, ACTOR)
      const [first] = await store.listIdentities(bob.id)
      const disconnect = (id: string) => store.disconnectIdentity({ account: bob.id, id, open: OPEN }, ACTOR)
      await assert.rejects(disconnect('none'), { code: 'identity_not_found' })
      await disconnect(first!.id)
      await assert.rejects(disconnect(other.id), { code: 'last_way_in' })
      assert.deepEqual(await store.listIdentities(bob.id), [other])
      await store.deleteAccount({ id: bob.id, apps: 'delete' }, ACTOR)
      assert.equal(await store.findIdentity(other), undefined)
    })
  })
}
