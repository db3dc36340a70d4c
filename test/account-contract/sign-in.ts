import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckedCredentials } from '../../src/storage/account-records.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const DAY = 24 * 60 * 60 * 1000
const FROM = { address: '192.0.2.1', userAgent: 'Firefox' }
/** Who ends a session, and from where. */
const BY = { name: 'ada@example.org', address: '192.0.2.2' }

export function signIn(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: sign-in`, () => {
    it('keeps a session for 7 days without use, and 30 in all', async (t) => {
      const { store, clock } = await open(t)
      const account = await newAccount(store, 'ada')
      const made = await store.createSession({
        way: 'password',
        account: account.id,
        hash: hash('a'),
        ...FROM,
      })
      const times = { createdAt: NOW, seenAt: NOW, authenticatedAt: NOW }
      assert.deepEqual(made, { id: made.id, account: account.id, ...times, ...FROM })
      assert.deepEqual(await store.findSession(hash('a')), { session: made, account })
      assert.equal(await store.findSession(made.id), undefined)
      clock.now = NOW + 7 * DAY
      assert.equal(await store.findSession(hash('a')), undefined)
      clock.now -= 1
      for (let days = 6; days < 30; days += 6) {
        clock.now = NOW + days * DAY
        await store.touchSession({ id: made.id, isAuthenticated: days === 12 })
      }
      const seen = { ...made, seenAt: NOW + 24 * DAY, authenticatedAt: NOW + 12 * DAY }
      assert.deepEqual(await store.listSessions(account.id), [seen])
      clock.now = NOW + 30 * DAY - 1
      assert.deepEqual((await store.findSession(hash('a')))?.session, seen)
      clock.now += 1
      assert.deepEqual(
        [await store.findSession(hash('a')), await store.listSessions(account.id)],
        [undefined, []],
      )
    })

    it('begins no session where the password or the second factor is another than the one that was checked', async (t) => {
      const { store } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const begin = async (letter: string, checked: CheckedCredentials) =>
        store.createSession({ way: 'password', account, hash: hash(letter), checked, ...FROM })
      const first = (await store.findCredentials({ id: account }))!
      await begin('a', first)
      const secret = Buffer.from('12345678901234567890')
      await store.enableTotp({ account, secret, step: 1, recoveryHashes: [] }, ACTOR)
      const changed = { code: 'invalid_credentials' }
      await assert.rejects(begin('b', first), changed)
      const second = (await store.findCredentials({ id: account }))!
      await store.useTotpStep({ account, step: 2 })
      await begin('c', second)
      const other = { secret: Buffer.from('12345678901234567891'), lastStep: 2 }
      await assert.rejects(begin('d', { ...second, totp: other }), changed)
      await store.updateAccount({ id: account, password: '$argon2id$other' }, ACTOR)
      await assert.rejects(begin('e', second), changed)
      await store.deleteAccount({ id: account, apps: 'delete' }, ACTOR)
      await assert.rejects(begin('f', second), changed)
    })

    it('ends sessions one by one and all but one, and only those of the account', async (t) => {
      const { store } = await open(t)
      const { id: ada } = await newAccount(store, 'ada')
      const { id: bob } = await newAccount(store, 'bob')
      const session = (account: string, letter: string) =>
        store.createSession({ way: 'password', account, hash: hash(letter), ...FROM })
      const [first, second] = [await session(ada, 'a'), await session(ada, 'b')]
      await session(ada, 'c')
      await session(bob, 'd')
      const by = { ...BY, account: ada }
      assert.equal(await store.endSession({ account: bob, id: first.id }, { ...BY, account: bob }), false)
      assert.equal(await store.endSession({ account: ada, id: first.id }, by), true)
      assert.equal(await store.endSession({ account: ada, id: first.id }, by), false)
      assert.equal(await store.endSessions({ account: ada, keepSession: second.id }, by), 1)
      assert.deepEqual(await store.listSessions(ada), [second])
      assert.equal((await store.listSessions(bob)).length, 1)
      const [ended, alone, begun] = await store.listAudit({ limit: 3 })
      assert.deepEqual(
        [ended!.action, ended!.subject, ended!.details, ended!.account, ended!.address],
        ['session.end', 'ada@example.org', '{"ended":1}', ada, BY.address],
      )
      assert.deepEqual(
        [alone!.action, begun!.action, begun!.actor, begun!.subject, begun!.details, begun!.address],
        [
          ...['session.end', 'session.begin', 'bob@example.org', 'bob@example.org'],
          ...['{"way":"password"}', FROM.address],
        ],
      )
      await assert.rejects(session('nobody', 'e'), { code: 'account_not_found' })
    })

    it('lets the oldest of 100 sessions go for another one', async (t) => {
      const { store, clock } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      for (let number = 0; number <= 100; number++) {
        clock.now = NOW + number
        await store.createSession({
          way: 'password',
          account,
          hash: String(number).padStart(64, '0'),
          ...FROM,
        })
      }
      assert.equal((await store.listSessions(account)).length, 100)
      assert.equal(await store.findSession('0'.repeat(64)), undefined)
      assert.ok(await store.findSession('1'.padStart(64, '0')))
    })

    it('takes each time step and each recovery code once, also of many at once', async (t) => {
      const { store, open: again } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const { id: bob } = await newAccount(store, 'bob')
      assert.equal(await store.useTotpStep({ account, step: 10 }), false, 'there is no second factor')
      const session = await store.createSession({ way: 'password', account, hash: hash('a'), ...FROM })
      await store.createSession({ way: 'password', account, hash: hash('b'), ...FROM })
      const secret = Buffer.from('12345678901234567890')
      const recoveryHashes = [hash('1'), hash('2')]
      await store.enableTotp({ account, secret, step: 10, recoveryHashes, keepSession: session.id }, ACTOR)
      assert.deepEqual(await store.listSessions(account), [session])
      const { totp, recoveryCodes, account: record } = (await store.findCredentials({ id: account }))!
      assert.deepEqual([Buffer.from(totp!.secret), totp?.lastStep, recoveryCodes], [secret, 10, 2])
      assert.equal(record.hasTotp, true)
      assert.equal(await store.useTotpStep({ account, step: 10 }), false, 'it was used to switch it on')
      const stores = database === 'PostgreSQL' ? [store, await again()] : [store, store]
      const uses = await Promise.all(stores.map((each) => each.useTotpStep({ account, step: 12 })))
      assert.deepEqual(uses.sort(), [false, true])
      assert.equal(await store.useTotpStep({ account, step: 11 }), false)
      assert.equal(await store.useRecoveryCode({ account: bob, hash: hash('1') }), false)
      const codes = await Promise.all(
        stores.map((each) => each.useRecoveryCode({ account, hash: hash('1') })),
      )
      assert.deepEqual(codes.sort(), [false, true])
      await store.replaceRecoveryCodes({ account, hashes: [hash('3')] }, ACTOR)
      assert.equal(await store.useRecoveryCode({ account, hash: hash('2') }), false)
      await store.disableTotp({ account }, ACTOR)
      assert.equal(await store.useTotpStep({ account, step: 20 }), false)
      assert.equal(await store.useRecoveryCode({ account, hash: hash('3') }), false)
      const after = await store.findCredentials({ id: account })
      assert.deepEqual([after?.totp, after?.recoveryCodes, after?.account.hasTotp], [undefined, 0, false])
      assert.deepEqual(await store.listSessions(account), [])
    })

    it('knows a token until its end or its deletion, by one name for each account', async (t) => {
      const { store, clock } = await open(t)
      const account = await newAccount(store, 'ada')
      const { id: bob } = await newAccount(store, 'bob')
      const wanted = { name: 'ci', permissions: ['deploy', 'read'], expiresAt: NOW + 100 }
      const made = await store.createToken({ ...wanted, account: account.id, hash: hash('a') }, ACTOR)
      assert.deepEqual(made, {
        id: made.id,
        account: account.id,
        ...wanted,
        createdAt: NOW,
        lastUsedAt: null,
      })
      await store.createToken({ ...wanted, account: bob, hash: hash('b') }, ACTOR)
      await assert.rejects(store.createToken({ ...wanted, account: bob, hash: hash('c') }, ACTOR), {
        code: 'token_exists',
      })
      await store.touchToken(made.id)
      const used = { ...made, lastUsedAt: NOW }
      assert.deepEqual(await store.findToken(hash('a')), { token: used, account })
      clock.now = NOW + 100
      assert.equal(await store.findToken(hash('a')), undefined)
      assert.deepEqual(await store.listTokens(account.id), [used])
      await assert.rejects(store.deleteToken({ account: bob, id: made.id }, ACTOR), {
        code: 'token_not_found',
      })
      await store.deleteToken({ account: account.id, id: made.id }, ACTOR)
      assert.deepEqual(await store.listTokens(account.id), [])
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.subject], ['account-token.delete', 'ci'])
    })

    it('gives an account 100 tokens at most', async (t) => {
      const { store } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const token = (number: number) =>
        store.createToken(
          {
            account,
            name: `t${number}`,
            hash: String(number).padStart(64, '0'),
            permissions: [],
            expiresAt: NOW + 1,
          },
          ACTOR,
        )
      for (let number = 0; number < 100; number++) await token(number)
      await assert.rejects(token(100), { code: 'too_many_tokens', message: /at most 100 tokens; end one/ })
    })

    it('remembers the latest 100 addresses of an account', async (t) => {
      const { store, clock } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const note = async (number: number): Promise<void> => {
        clock.now = NOW + number
        await store.noteAddress({ account, address: `10.0.0.${number}` })
      }
      for (let number = 0; number < 100; number++) await note(number)
      clock.now = NOW + 100
      await store.noteAddress({ account, address: '10.0.0.0' })
      await note(101)
      const known = ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.101', ''].map((address) =>
        store.isKnownAddress({ account, address }),
      )
      assert.deepEqual(await Promise.all(known), [true, false, true, true, false])
      await assert.rejects(store.noteAddress({ account: 'nobody', address: '' }), {
        code: 'account_not_found',
      })
    })

    it('makes nobody read the keys anew', async (t) => {
      const { store, run } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      await run('UPDATE directory_version SET version = 1000')
      await store.createSession({ way: 'password', account, hash: hash('a'), ...FROM })
      await store.createToken(
        { account, name: 'ci', hash: hash('a'), permissions: [], expiresAt: NOW + 1 },
        ACTOR,
      )
      await store.noteAddress({ account, address: '10.0.0.1' })
      await store.endSessions({ account }, { ...BY, account })
      // Fails where the version has risen, for there is one row.
      await run('INSERT INTO removed_apps(id) SELECT CAST(version AS text) FROM directory_version')
      await run(
        "INSERT INTO settings(name, value) SELECT 'version ' || id, secret FROM removed_apps, token_secrets",
      )
      assert.ok((await store.setting('version 1000')) !== undefined)
    })
  })
}
