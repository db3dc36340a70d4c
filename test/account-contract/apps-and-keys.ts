import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KeyRules, storedRules, UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const [HASH_1, HASH_2, HASH_3] = [hash('1'), hash('2'), hash('3')]
const WEB = { owner: null, name: 'web' }

function webKey(store: AccountStore, rules: KeyRules = UNLIMITED) {
  return store.createKey({ ...WEB, hash: HASH_1, rules }, ACTOR)
}

const numbered = (number: number): string => String(number).padStart(64, '0')

export function appsAndKeys(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: apps and keys`, () => {
    it('leave no line in the audit trail for what can not be done, and no trace', async (t) => {
      const { store, documents } = await open(t)
      await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      await webKey(store)
      const before = [await store.listAudit({ limit: 10 }), await store.readDirectory(), documents()]
      const refused: [() => Promise<unknown>, string][] = [
        [() => store.createApp({ slug: 'demo', owner: null }, ACTOR), 'app_exists'],
        [() => store.deleteApp('other', ACTOR), 'app_not_found'],
        [() => store.removeApp('other', ACTOR), 'app_not_found'],
        [() => store.restoreApp('demo', ACTOR), 'app_not_found'],
        [() => store.setAutoIndex({ app: 'other', isOn: false }, ACTOR), 'app_not_found'],
        [() => webKey(store), 'key_exists'],
        [() => store.updateKey({ owner: null, name: 'other', rules: { apps: [] } }, ACTOR), 'key_not_found'],
        [
          () => store.rotateKey({ owner: null, name: 'other', hash: HASH_2, oldUntil: NOW }, ACTOR),
          'key_not_found',
        ],
        [() => store.revokeKey({ owner: null, name: 'other' }, ACTOR), 'key_not_found'],
        [() => store.endKeyTokens({ owner: null, name: 'other' }, ACTOR), 'key_not_found'],
        [() => store.revokeKey({ owner: 'another', name: 'web' }, ACTOR), 'key_not_found'],
        // A secret that is there already must not take another key's place.
        [() => store.rotateKey({ ...WEB, hash: HASH_1, oldUntil: NOW + 1 }, ACTOR), 'key_exists'],
        [
          () => store.createKey({ owner: null, name: 'web2', hash: HASH_1, rules: UNLIMITED }, ACTOR),
          'key_exists',
        ],
      ]
      for (const [work, code] of refused) await assert.rejects(work, { code })
      assert.deepEqual(
        [await store.listAudit({ limit: 10 }), await store.readDirectory(), documents()],
        before,
      )
    })

    it('have a line in the audit trail for every change, the newest first', async (t) => {
      const { store, clock } = await open(t)
      const changes: (() => Promise<unknown>)[] = [
        () => store.createApp({ slug: 'demo', owner: null }, 'cli:ada'),
        () => webKey(store, { ...UNLIMITED, apps: ['demo'] }),
        () => store.updateKey({ ...WEB, rules: { localhost: false } }, 'cli:bob'),
        () => store.rotateKey({ ...WEB, hash: HASH_2, oldUntil: NOW + 50 }, ACTOR),
        () => store.endKeyTokens(WEB, ACTOR),
        () => store.revokeKey(WEB, { account: '01A', name: 'ada@example.org', address: '192.0.2.1' }),
        () => store.deleteApp('demo', 'cli:ada'),
      ]
      for (const change of changes) {
        await change()
        clock.now += 1
      }
      const trail = await store.listAudit({ limit: 10 })
      assert.deepEqual(
        trail.map(({ at, actor, action, subject, account, address }) => [
          ...[at - NOW, actor, action, subject],
          ...(account === null ? [] : [account, address]),
        ]),
        [
          [6, 'cli:ada', 'app.delete', 'demo'],
          [5, 'ada@example.org', 'key.revoke', 'web', '01A', '192.0.2.1'],
          [4, ACTOR, 'key.end-tokens', 'web'],
          [3, ACTOR, 'key.rotate', 'web'],
          [2, 'cli:bob', 'key.update', 'web'],
          [1, ACTOR, 'key.create', 'web'],
          [0, 'cli:ada', 'app.create', 'demo'],
        ],
      )
      assert.deepEqual(
        trail.slice(3, 6).map(({ details }) => JSON.parse(details)),
        [{ oldUntil: NOW + 50 }, { localhost: false }, { ...storedRules(UNLIMITED), apps: ['demo'] }],
      )
      assert.deepEqual(await store.listAudit({ limit: 2 }), trail.slice(0, 2))
      for (const { details } of trail) assert.ok(!details.includes(HASH_1) && !details.includes(HASH_2))
      assert.deepEqual(
        (await store.listAudit({ limit: 9, app: trail[0]!.app! })).map(({ action }) => action),
        ['app.delete', 'app.create'],
      )
      assert.equal((await store.listAudit({ limit: 9, account: '01A' })).length, 1)
      assert.deepEqual(await store.listAudit({ limit: 2, before: trail[1]!.id }), trail.slice(2, 4))
      assert.deepEqual(await store.listAudit({ limit: 2, before: trail.at(-1)!.id }), [])
    })

    it('make an app once for each slug, with documents of its own, and take these with it', async (t) => {
      const { store, documents } = await open(t)
      const first = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      assert.match(first.id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
      assert.deepEqual(first, { id: first.id, slug: 'demo', owner: null, createdAt: NOW })
      await assert.rejects(store.createApp({ slug: 'demo', owner: '01A' }, ACTOR), {
        code: 'app_exists',
        message: /"demo" already/,
      })
      assert.deepEqual(documents(), [first.id])
      await store.removeApp('demo', ACTOR)
      assert.deepEqual(documents(), [])
      const second = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      assert.notEqual(second.id, first.id)
      const directory = await store.readDirectory()
      assert.deepEqual([...directory.apps], [['demo', second]])
    })

    it('finish what a killed process left of a deletion', async (t) => {
      const { store, open: again, run, documents } = await open(t)
      const { id } = await store.createApp({ slug: 'demo', owner: null }, ACTOR)
      await run(`DELETE FROM apps; INSERT INTO removed_apps(id) VALUES ('${id}')`)
      assert.deepEqual(documents(), [id])
      await again()
      assert.deepEqual(documents(), [])
    })

    it('are listed by code point', async (t) => {
      const { store } = await open(t)
      for (const slug of ['b', 'a-1', 'a', '0']) await store.createApp({ slug, owner: null }, ACTOR)
      for (const name of ['é', 'z', 'Z', 'e\u0301', '🌾', '\uffee'])
        await store.createKey({ owner: null, name, hash: name.padEnd(64, '0'), rules: UNLIMITED }, ACTOR)
      assert.deepEqual(
        (await store.listApps()).map(({ slug }) => slug),
        ['0', 'a', 'a-1', 'b'],
      )
      assert.deepEqual(
        (await store.listKeys()).map(({ name }) => name),
        ['Z', 'e\u0301', 'z', 'é', '\uffee', '🌾'],
      )
    })

    it('have names that are only names, whatever they could mean elsewhere', async (t) => {
      const { store } = await open(t)
      const names = ["'; DROP TABLE keys; --", '__proto__', 'constructor', '"', '%', '$1', '?']
      for (const [index, name] of names.entries())
        await store.createKey({ owner: null, name, hash: hash(String(index)), rules: UNLIMITED }, ACTOR)
      assert.deepEqual(
        (await store.listKeys()).map(({ name }) => name),
        [...names].sort(),
      )
      await store.createApp({ slug: 'constructor', owner: null }, ACTOR)
      const { apps } = await store.readDirectory()
      assert.deepEqual([apps.get('__proto__'), apps.get('constructor')?.slug], [undefined, 'constructor'])
    })

    it('have names of keys that are unique for each owner', async (t) => {
      const { store } = await open(t)
      const { id: owner } = await newAccount(store, 'ada')
      await webKey(store)
      const theirs = await store.createKey({ owner, name: 'web', hash: HASH_2, rules: UNLIMITED }, ACTOR)
      await assert.rejects(store.createKey({ owner, name: 'web', hash: HASH_3, rules: UNLIMITED }, ACTOR), {
        code: 'key_exists',
      })
      // What the operator calls a key isn't told to others.
      await assert.rejects(store.createKey({ owner, name: 'x', hash: HASH_1, rules: UNLIMITED }, ACTOR), {
        code: 'key_exists',
        message: 'this secret is one of a key already; give each key a secret of its own',
      })
      await store.updateKey({ owner, name: 'web', rules: { localhost: false } }, ACTOR)
      assert.deepEqual(await store.listKeys({ owner }), [
        { ...theirs, rules: { ...UNLIMITED, localhost: false } },
      ])
      assert.deepEqual((await store.listKeys({ owner: null }))[0]?.rules, UNLIMITED)
      await store.revokeKey(WEB, ACTOR)
      assert.deepEqual(
        (await store.listKeys()).map(({ owner: of }) => of),
        [owner],
      )
    })

    it('are as many as the limits say at most, and those there are go on', async (t) => {
      const { open: again, documents } = await open(t)
      const store = await again({ apps: 2, keys: 2 })
      const key = (name: string) =>
        store.createKey({ owner: null, name, hash: name.padEnd(64, '0'), rules: UNLIMITED }, ACTOR)
      const app = (slug: string) => store.createApp({ slug, owner: null }, ACTOR)
      for (const name of ['a', 'b']) await Promise.all([app(name), key(name)])
      const trail = await store.listAudit({ limit: 10 })
      await assert.rejects(app('c'), {
        code: 'too_many_apps',
        message: /at most 2 apps, with those that can be restored; remove/,
      })
      await assert.rejects(key('c'), { code: 'too_many_keys', message: /at most 2 keys; revoke/ })
      // What is there is what a second attempt at it has to hear of.
      await assert.rejects(app('a'), { code: 'app_exists' })
      await assert.rejects(key('a'), { code: 'key_exists' })
      assert.deepEqual(await store.listAudit({ limit: 10 }), trail)
      assert.equal(documents().length, 2)
      await store.removeApp('a', ACTOR)
      await store.revokeKey({ owner: null, name: 'a' }, ACTOR)
      await Promise.all([app('c'), key('c')])
      const lower = await again({ apps: 1, keys: 1 })
      assert.equal((await lower.listKeys()).length, 2, 'a limit that was lowered takes nothing away')
    })

    it('change some rules of a key, and leave the others', async (t) => {
      const { store } = await open(t)
      const rules: KeyRules = {
        ...UNLIMITED,
        permission: ['read'],
        rate: { requests: 5, perMs: 1000 },
        expiresAt: NOW,
      }
      const made = await webKey(store, rules)
      const changed = await store.updateKey({ ...WEB, rules: { rate: null, apps: ['shop'] } }, ACTOR)
      assert.deepEqual(changed, { ...made, rules: { ...rules, rate: null, apps: ['shop'] } })
      assert.deepEqual(await store.listKeys(), [changed])
    })

    it('find an old secret until its time, and forget it when they are opened or it is rotated again', async (t) => {
      const { store, open: again, clock } = await open(t)
      await webKey(store)
      const rotated = await store.rotateKey({ ...WEB, hash: HASH_2, oldUntil: NOW + 100 }, ACTOR)
      const old = { hash: HASH_1, until: NOW + 100 }
      assert.deepEqual(rotated.secrets, [{ hash: HASH_2, until: null }, old])
      const { keysByHash } = await store.readDirectory()
      assert.deepEqual(keysByHash, new Map([HASH_2, HASH_1].map((each) => [each, rotated])))
      const later = await store.rotateKey({ ...WEB, hash: HASH_3, oldUntil: NOW + 500 }, ACTOR)
      assert.deepEqual(later.secrets, [
        { hash: HASH_3, until: null },
        { hash: HASH_2, until: NOW + 500 },
        old,
      ])
      clock.now = NOW + 100
      assert.deepEqual([...(await (await again()).readDirectory()).keysByHash.keys()], [HASH_3, HASH_2])
      const atOnce = await store.rotateKey({ ...WEB, hash: hash('4'), oldUntil: clock.now }, ACTOR)
      assert.deepEqual(atOnce.secrets, [{ hash: hash('4'), until: null }])
      await store.revokeKey(WEB, ACTOR)
      assert.equal((await store.readDirectory()).keysByHash.size, 0)
      assert.deepEqual((await webKey(store)).secrets, [{ hash: HASH_1, until: null }])
    })

    it('let a key have 100 secrets that work, and can always end the old ones', async (t) => {
      const { store, clock } = await open(t)
      await store.createKey({ ...WEB, hash: numbered(0), rules: UNLIMITED }, ACTOR)
      const rotate = (number: number, oldUntil: number) =>
        store.rotateKey({ ...WEB, hash: numbered(number), oldUntil }, ACTOR)
      for (let i = 1; i < 100; i++) await rotate(i, NOW + 1000 * i)
      await assert.rejects(rotate(100, NOW + 1), {
        code: 'invalid_rule',
        message:
          'the key "web" has 100 secrets that work, and the first of them ends at 2026-01-01T00:00:01.000Z; rotate ' +
          'it after that, or with --overlap 0, which ends the old ones at once',
      })
      assert.equal((await store.readDirectory()).keysByHash.size, 100)
      clock.now = NOW + 1000
      assert.equal((await rotate(100, NOW + 900_000)).secrets.length, 100)
      assert.deepEqual((await rotate(101, clock.now)).secrets, [{ hash: numbered(101), until: null }])
    })

    it('keep a secret of tokens that was rotated out until its time, and 100 of them at most', async (t) => {
      const { store, open: again, clock } = await open(t)
      const secrets = async () => (await store.readDirectory()).tokenSecrets
      const [first] = await secrets()
      assert.deepEqual([first?.secret.length, first?.until], [32, null])
      await store.rotateTokenSecret({ oldUntil: NOW + 100 }, ACTOR)
      const [second, ...old] = await secrets()
      assert.deepEqual(old, [{ ...first, until: NOW + 100 }])
      assert.notEqual(second?.kid, first?.kid)
      assert.notDeepEqual(second?.secret, first?.secret)
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.subject], ['token.rotate-secret', second?.kid])
      clock.now = NOW + 100
      assert.deepEqual((await (await again()).readDirectory()).tokenSecrets, [second])
      for (let i = 1; i < 100; i++) await store.rotateTokenSecret({ oldUntil: NOW + 1000 * i }, ACTOR)
      await assert.rejects(store.rotateTokenSecret({ oldUntil: NOW + 101 }, ACTOR), {
        code: 'invalid_rule',
        message:
          /^100 secrets verify tokens, and the first of them ends at 2026-01-01T00:00:01\.000Z; .* --now,/,
      })
      await store.rotateTokenSecret({ oldUntil: clock.now }, ACTOR)
      assert.equal((await secrets()).length, 1)
    })
  })
}
