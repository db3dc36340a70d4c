import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACTOR, hash, newAccount, type OpenTestAccounts } from './harness.ts'

const FROM = { address: '192.0.2.1', userAgent: 'Firefox' }
const ISSUER = 'https://id.example.org'
const HOST = 'db.example.org'
const NONE = { passkeyHost: null, issuer: null }
const LAST = { code: 'last_way_in' }

export function waysIn(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: ways in`, () => {
    it('keep the password where no other way is open, and let it go where one is', async (t) => {
      const { store, run } = await open(t)
      const { id } = await newAccount(store, 'ada')
      const remove = (issuer: string | null) =>
        store.removePassword({ id, open: { passkeyHost: HOST, issuer } }, ACTOR)
      await assert.rejects(remove(ISSUER), LAST)
      await run(
        `INSERT INTO identities (account, issuer, subject, email, created_at) VALUES ('${id}', '${ISSUER}', 's', '', 0)`,
      )
      for (const issuer of [null, '', 'https://other.example.org']) await assert.rejects(remove(issuer), LAST)
      const password = { password: true, passkeys: false }
      assert.deepEqual(await store.findWaysIn({ account: id, open: NONE }), { ...password, oidc: false })
      const opened = { passkeyHost: HOST, issuer: ISSUER }
      assert.deepEqual(await store.findWaysIn({ account: id, open: opened }), { ...password, oidc: true })
      await remove(ISSUER)
      assert.equal((await store.findCredentials({ id }))?.password, '')
      const oidc = { password: false, passkeys: false, oidc: true }
      assert.deepEqual(await store.findWaysIn({ account: id, open: opened }), oidc)
    })

    it('end the sessions but one, and the links, with the password', async (t) => {
      const { store, clock, run } = await open(t)
      const { id } = await newAccount(store, 'ada')
      await run(
        `INSERT INTO identities (account, issuer, subject, email, created_at) VALUES ('${id}', '${ISSUER}', 's', '', 0)`,
      )
      const kept = await store.createSession({ way: 'password', account: id, hash: hash('1'), ...FROM })
      await store.createSession({ way: 'password', account: id, hash: hash('2'), ...FROM })
      const link = { purpose: 'reset', account: id, hash: hash('3'), until: clock.now + 1 } as const
      await store.createLink(link, ACTOR)
      await store.removePassword(
        { id, keepSession: kept.id, open: { passkeyHost: null, issuer: ISSUER } },
        ACTOR,
      )
      assert.deepEqual(await store.listSessions(id), [kept])
      assert.equal(await store.findLink(hash('3')), undefined)
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.details], ['account.update', '{"password":false}'])
    })

    it('keep the reset link of an operator where one is mailed, which ends those that were mailed before', async (t) => {
      const { store, clock } = await open(t)
      const { id } = await newAccount(store, 'ada')
      const reset = { purpose: 'reset', account: id, until: clock.now + 9 } as const
      const mailed = { ...reset, mailedTo: 'ada@example.org' }
      const areOpen = () =>
        Promise.all(['1', '2', '3'].map(async (each) => (await store.findLink(hash(each))) !== undefined))
      await store.createLink({ ...reset, hash: hash('1') }, ACTOR)
      await store.createLink({ ...mailed, hash: hash('2') }, ACTOR)
      await store.createLink({ ...mailed, hash: hash('3') }, ACTOR)
      assert.deepEqual(await areOpen(), [true, false, true])
      assert.deepEqual(await store.findLink(hash('3')), { ...mailed, hash: hash('3') })
      await store.useLinkForPassword({ hash: hash('3'), password: '$argon2id$new', address: '192.0.2.1' })
      assert.deepEqual(await areOpen(), [false, false, false])
    })

    it('are taken away all at once, but for the link that is made and the second factor', async (t) => {
      const { store, clock } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const { id: other } = await newAccount(store, 'eve')
      const until = clock.now + 9
      for (const [each, id] of [
        ['a', account],
        ['e', other],
      ] as const) {
        const key = { publicKey: Uint8Array.of(1), uses: 0, transports: [], host: HOST }
        await store.createSession({ way: 'password', account: id, hash: hash(each), ...FROM })
        await store.createPasskey({ id: each, account: id, name: each, ...key }, ACTOR)
        const identity = { issuer: ISSUER, subject: each, email: '' }
        await store.connectIdentity({ account: id, identity }, ACTOR)
      }
      const totp = { account, secret: Uint8Array.of(1), step: 1, recoveryHashes: [] }
      await store.enableTotp(totp, ACTOR)
      await store.createLink({ purpose: 'reset', account, hash: hash('1'), until }, ACTOR)
      await store.resetWaysIn({ account, hash: hash('2'), until }, ACTOR)
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.subject], ['account.reset-ways-in', 'ada@example.org'])
      assert.equal(line?.details, '{"passkeys":1,"identities":1,"tokens":0}')
      const opened = { passkeyHost: HOST, issuer: ISSUER }
      const ways = (id: string) => store.findWaysIn({ account: id, open: opened })
      assert.deepEqual(await ways(account), { password: false, passkeys: false, oidc: false })
      assert.deepEqual(await ways(other), { password: true, passkeys: true, oidc: true })
      assert.deepEqual(await store.listSessions(account), [])
      assert.equal(await store.findLink(hash('1')), undefined)
      assert.equal((await store.findLink(hash('2')))?.purpose, 'reset')
      assert.equal((await store.findAccount({ id: account }))?.hasTotp, true)
      await assert.rejects(store.resetWaysIn({ account: 'nobody', hash: hash('3'), until }, ACTOR), {
        code: 'account_not_found',
      })
    })

    it('are passkeys as they were kept, with their counts, until they are removed', async (t) => {
      const { store, clock, run } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const { id: eve } = await newAccount(store, 'eve')
      const key = {
        account,
        host: HOST,
        name: 'laptop',
        publicKey: Uint8Array.of(0, 255),
        uses: 3,
        transports: ['usb'],
      }
      const made = await store.createPasskey({ id: 'a-_', ...key }, ACTOR)
      const times = { createdAt: clock.now, lastUsedAt: null }
      const shown = { id: 'a-_', account, host: HOST, name: 'laptop', transports: ['usb'], ...times }
      assert.deepEqual(made, shown)
      await assert.rejects(store.createPasskey({ id: 'a-_', ...key, account: eve }, ACTOR), {
        code: 'passkey_exists',
      })
      const found = (await store.findPasskey('a-_'))!
      assert.deepEqual(
        [[...found.passkey.publicKey], found.passkey.uses, found.account.id],
        [[0, 255], 3, account],
      )
      assert.equal(await store.findPasskey('a'), undefined)
      const refused = { code: 'invalid_credentials' }
      for (const uses of [0, 2, 3])
        await assert.rejects(store.usePasskey({ account, id: 'a-_', uses }), refused)
      await assert.rejects(store.usePasskey({ account: eve, id: 'a-_', uses: 4 }), refused)
      const begin = (uses: number) =>
        store.createSession({
          account,
          hash: hash('1'),
          way: 'passkey',
          passkey: { id: 'a-_', uses },
          ...FROM,
        })
      await assert.rejects(begin(3), refused)
      assert.deepEqual(await store.listSessions(account), [])
      clock.now += 1
      await begin(4)
      assert.deepEqual(await store.listPasskeys(account), [{ ...shown, lastUsedAt: clock.now }])
      await run(`UPDATE passkeys SET uses = -1, transports = '{', last_used_at = -1`)
      assert.equal((await store.findPasskey('a-_'))?.passkey.uses, 2 ** 32 - 1)
      assert.deepEqual(await store.listPasskeys(account), [{ ...shown, transports: [], lastUsedAt: 0 }])
      const none = { code: 'passkey_not_found' }
      await assert.rejects(store.renamePasskey({ account: eve, id: 'a-_', name: 'x' }, ACTOR), none)
      await assert.rejects(store.deletePasskey({ account: eve, id: 'a-_', open: NONE }, ACTOR), none)
      assert.equal((await store.renamePasskey({ account, id: 'a-_', name: 'phone' }, ACTOR)).name, 'phone')
      await store.deletePasskey({ account, id: 'a-_', open: NONE }, ACTOR)
      assert.deepEqual(await store.listPasskeys(account), [])
      assert.deepEqual(await store.listSessions(account), [])
      const actions = (await store.listAudit({ limit: 4 })).map(({ action, subject }) => [action, subject])
      assert.deepEqual(actions, [
        ['passkey.delete', 'phone'],
        ['passkey.update', 'phone'],
        ['session.begin', 'ada@example.org'],
        ['passkey.create', 'laptop'],
      ])
    })

    it('are not changed in a session that has ended, and what it did elsewhere still has its line', async (t) => {
      const { store } = await open(t)
      const { id: account, email: name } = await newAccount(store, 'ada')
      const { id: session } = await store.createSession({
        way: 'password',
        account,
        hash: hash('1'),
        ...FROM,
      })
      const actor = { account, name, address: FROM.address, session }
      const key = {
        id: 'a',
        account,
        host: HOST,
        name: 'key',
        publicKey: Uint8Array.of(1),
        uses: 0,
        transports: [],
      }
      const token = { account, name: 'ci', hash: hash('2'), permissions: ['read'], expiresAt: 1 }
      const identity = { issuer: ISSUER, subject: 's', email: '' }
      const totp = { account, secret: Uint8Array.of(1), step: 1, recoveryHashes: [], keepSession: session }
      const changes = [
        () => store.createPasskey(key, actor),
        () => store.connectIdentity({ account, identity }, actor),
        () => store.createToken(token, actor),
        () => store.enableTotp(totp, actor),
        () => store.updateAccount({ id: account, password: 'another', keepSession: session }, actor),
      ]
      const before = await store.findCredentials({ id: account })
      await store.endSession({ account, id: session }, actor)
      for (const change of changes) await assert.rejects(change, { code: 'invalid_credentials' })
      assert.deepEqual(await store.findCredentials({ id: account }), before)
      assert.deepEqual(await store.listPasskeys(account), [])
      assert.deepEqual(await store.listIdentities(account), [])
      assert.deepEqual(await store.listTokens(account), [])
      await store.noteCollection(
        { action: 'collection.drop', app: 'app', collection: 'cards', documents: 1 },
        actor,
      )
      assert.deepEqual(
        (await store.listAudit({ limit: 2 })).map(({ action }) => action),
        ['collection.drop', 'session.end'],
      )
    })

    it('are twenty passkeys at most, and never none of anything', async (t) => {
      const { store, run, open: again } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const key = { account, host: HOST, name: 'key', publicKey: Uint8Array.of(1), uses: 0, transports: [] }
      for (let i = 0; i < 20; i++) await store.createPasskey({ id: String(i), ...key }, ACTOR)
      await assert.rejects(store.createPasskey({ id: '20', ...key }, ACTOR), { code: 'too_many_passkeys' })
      for (let i = 0; i < 2; i++) await store.usePasskey({ account, id: '0', uses: 0 })
      const opened = { passkeyHost: HOST, issuer: null }
      const ofAnother = { passkeyHost: 'db.example.com', issuer: null }
      await assert.rejects(store.removePassword({ id: account, open: ofAnother }, ACTOR), LAST)
      await run(`DELETE FROM passkeys WHERE id NOT IN ('0', '1')`)
      const other = await again()
      const outcomes = await Promise.allSettled([
        store.removePassword({ id: account, open: opened }, ACTOR),
        other.deletePasskey({ account, id: '0', open: opened }, ACTOR),
        store.deletePasskey({ account, id: '1', open: opened }, ACTOR),
      ])
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
      assert.ok(Object.values(await store.findWaysIn({ account, open: opened })).includes(true))
    })
  })
}
