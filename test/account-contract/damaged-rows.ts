import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const [HASH_A, HASH_B] = [hash('a'), hash('b')]
const HUGE = '9223372036854775807'

export function damagedRows(database: string, open: OpenTestAccounts): void {
  /** With the app `demo` and the keys `a` and `b`. */
  async function opened(t: TestContext) {
    const accounts = await open(t)
    const { store } = accounts
    await store.createApp({ slug: 'demo', owner: null }, ACTOR)
    for (const [name, secret] of [
      ['a', HASH_A],
      ['b', HASH_B],
    ] as const)
      await store.createKey({ owner: null, name, hash: secret, rules: UNLIMITED }, ACTOR)
    return accounts
  }

  describe(`accounts on ${database}: rows that can't be read`, () => {
    it('close a key, whatever stands there for its rules, and hide nothing else', async (t) => {
      const { store, run } = await opened(t)
      const { rate: _, ...withoutRate } = { verbs: ['read'], rate: null, apps: 'all' }
      for (const rules of [JSON.stringify(withoutRate), '{', '', 'null', '{"expiresAt":1e300}']) {
        await run(`UPDATE keys SET rules = '${rules}' WHERE name = 'a'`)
        const { keysByHash, keysById, damages } = await store.readDirectory()
        const a = keysByHash.get(HASH_A)!
        assert.match(a.damage ?? '', /^the rules of --\w+.* can't be read$/, rules)
        assert.deepEqual(a.rules.permission, [])
        assert.equal(keysById.get(a.id), a)
        assert.deepEqual(
          [keysByHash.get(HASH_B)?.rules, keysByHash.get(HASH_B)?.damage],
          [UNLIMITED, undefined],
        )
        assert.equal(damages.length, 1)
        assert.match(damages[0]!, /^the key "a" lets nobody in: .*"sheaf key revoke" mends that$/)
      }
      await store.revokeKey({ owner: null, name: 'a' }, ACTOR)
      assert.deepEqual((await store.readDirectory()).damages, [])
    })

    it('are mended by an update that gives every rule anew that can not be read', async (t) => {
      const { store, run } = await opened(t)
      const a = { owner: null, name: 'a' }
      await run(`UPDATE keys SET rules = replace(replace(rules, '"rate":null,', ''), '"addresses":"all"', '"addresses":7')
        WHERE name = 'a'`)
      await assert.rejects(store.updateKey({ ...a, rules: { rate: null, localhost: true } }, ACTOR), {
        code: 'invalid_rule',
        message:
          'the key "a" has rules that can\'t be read; give these anew (or their --all-…), or revoke the key: --address',
      })
      await assert.rejects(store.rotateKey({ ...a, hash: hash('c'), oldUntil: NOW }, ACTOR), {
        code: 'invalid_rule',
        message: /update its rules first/,
      })
      const mended = await store.updateKey({ ...a, rules: { rate: null, addresses: ['10.0.0.0/8'] } }, ACTOR)
      assert.deepEqual(mended.rules, { ...UNLIMITED, addresses: ['10.0.0.0/8'] })
      assert.deepEqual((await store.readDirectory()).keysByHash.get(HASH_A), mended)
    })

    it('hide nothing where they hold times that no double holds, and an end that is none is past', async (t) => {
      const { store, open: again, run } = await opened(t)
      await run(`UPDATE apps SET created_at = ${HUGE}`)
      await run(`UPDATE keys SET created_at = ${HUGE}, last_used_at = -1 WHERE name = 'a'`)
      await run(`UPDATE key_secrets SET until = ${HUGE} WHERE hash = '${HASH_A}'`)
      const { keysByHash, apps } = await store.readDirectory()
      assert.deepEqual([apps.get('demo')?.createdAt, keysByHash.get(HASH_B)?.createdAt], [0, NOW])
      const { createdAt, lastUsedAt, secrets, damage } = keysByHash.get(HASH_A)!
      assert.deepEqual(
        [createdAt, lastUsedAt, secrets, damage],
        [0, 0, [{ hash: HASH_A, until: 0 }], undefined],
      )
      assert.equal((await store.listKeys()).length, 2)
      assert.equal((await store.listApps())[0]?.createdAt, 0)
      assert.equal(
        (await (await again()).readDirectory()).keysByHash.get(HASH_A),
        undefined,
        'it is tidied away',
      )
    })

    it('are passed over where an app can not be one, and no document outside is removed', async (t) => {
      const { store, run, documents } = await opened(t)
      await run(`UPDATE apps SET id = '../server'`)
      await run(`INSERT INTO apps(id, slug, created_at) VALUES ('01', '../x', 0)`)
      const { apps, damages } = await store.readDirectory()
      assert.deepEqual([...apps.keys()], [])
      assert.deepEqual(
        damages.map((line) => line.slice(0, line.indexOf(':'))),
        ['the app "../x" is passed over', 'the app "demo" is passed over'],
      )
      await store.removeApp('demo', ACTOR)
      assert.equal(documents().length, 1)
    })

    it('leave out a secret of tokens that is damaged, and the next start makes another', async (t) => {
      const { store, open: again, run } = await opened(t)
      await store.putSetting('provisioned', 'short')
      await run(`UPDATE token_secrets SET secret = (SELECT value FROM settings WHERE name = 'provisioned')`)
      const { tokenSecrets, damages } = await store.readDirectory()
      assert.deepEqual(tokenSecrets, [])
      assert.match(damages[0]!, /"sheaf token rotate-secret" makes another one$/)
      const made = await (await again()).readDirectory()
      assert.deepEqual(
        made.tokenSecrets.map(({ secret, until }) => [secret.length, until]),
        [[32, null]],
      )
      assert.deepEqual(made.damages, [])
    })

    it('let nobody in by a session, a token, a link or a second factor', async (t) => {
      const { store, run, clock } = await opened(t)
      const { id: account } = await newAccount(store, 'ada', true)
      await newAccount(store, 'bob')
      await store.createSession({ way: 'password', account, hash: HASH_A, address: '', userAgent: '' })
      const token = { account, name: 'ci', permissions: ['deploy'], expiresAt: NOW + 1 }
      await store.createToken({ ...token, hash: HASH_A }, ACTOR)
      await store.createLink({ hash: HASH_A, purpose: 'reset', account, until: NOW + 1 }, ACTOR)
      const totp = { account, secret: Buffer.from('secret'), step: 1, recoveryHashes: [] }
      await store.enableTotp({ ...totp, keepSession: 'none' }, ACTOR)
      await store.createSession({ way: 'password', account, hash: HASH_A, address: '', userAgent: '' })
      await run(`UPDATE account_tokens SET permissions = '['`)
      assert.deepEqual((await store.findToken(HASH_A))?.token.permissions, [])
      await run(`UPDATE sessions SET seen_at = ${HUGE}; UPDATE account_tokens SET expires_at = ${HUGE}`)
      await run(`UPDATE links SET until = ${HUGE}; UPDATE accounts SET totp_step = ${HUGE}, is_operator = 2`)
      assert.deepEqual(
        [await store.findSession(HASH_A), await store.findToken(HASH_A), await store.findLink(HASH_A)],
        [undefined, undefined, undefined],
      )
      assert.deepEqual(await store.listSessions(account), [])
      assert.equal(await store.useTotpStep({ account, step: clock.now }), false)
      const accounts = await store.listAccounts()
      assert.deepEqual(
        accounts.map(({ isOperator }) => isOperator),
        [false, false],
      )
    })
  })
}
