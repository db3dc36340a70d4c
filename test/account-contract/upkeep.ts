import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AccountStore } from '../../src/storage/account-store.ts'
import { AUDIT_LINES } from '../../src/storage/accounts/audit.ts'
import { ACTOR, hash, NOW, newAccount, type OpenTestAccounts } from './harness.ts'

const WEB = { owner: null, name: 'web' }

function webKey(store: AccountStore) {
  return store.createKey({ ...WEB, hash: hash('1'), rules: UNLIMITED }, ACTOR)
}

export function upkeep(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: upkeep`, () => {
    it('keep the newest 100,000 lines of the audit trail', async (t) => {
      const { store, run } = await open(t)
      await webKey(store)
      // As if 100,098 changes had been made since then: the next one is the 100,100th.
      await run(
        `INSERT INTO audit(seq, at, actor, action, subject, details)
        WITH RECURSIVE n(seq) AS (SELECT 2 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${AUDIT_LINES + 99})
        SELECT seq, 0, 'old', 'old', '', '{}' FROM n`,
      )
      const lines = async (before?: string) => store.listAudit({ limit: AUDIT_LINES + 200, before })
      const counted = async () => {
        const all = await lines()
        return [all.length, all.at(-1)?.id, all[0]?.action]
      }
      assert.deepEqual(await counted(), [AUDIT_LINES + 99, '1', 'old'])
      await store.updateKey({ ...WEB, rules: { apps: ['shop'] } }, ACTOR)
      assert.deepEqual(await counted(), [AUDIT_LINES, '101', 'key.update'])
      await store.revokeKey(WEB, ACTOR)
      assert.deepEqual(await counted(), [AUDIT_LINES + 1, '101', 'key.revoke'])
    })

    it('keep the newest 1,000 lines about sessions of an account, which push out nothing else', async (t) => {
      const { store, run } = await open(t)
      const { id: account } = await newAccount(store, 'ada')
      const { id: bob } = await newAccount(store, 'bob')
      const begin = (of: string, letter: string) =>
        store.createSession({
          ...{ account: of, way: 'password', hash: hash(letter) },
          ...{ address: '192.0.2.1', userAgent: '' },
        })
      await begin(bob, 'b')
      await begin(account, 'a')
      // As if ada had signed in once a minute for half a year.
      await run(
        `INSERT INTO audit(seq, at, actor, action, subject, details, account)
        WITH RECURSIVE n(seq) AS (SELECT 262900 UNION ALL SELECT seq + 1 FROM n WHERE seq < 263898)
        SELECT seq, 0, 'ada', 'session.begin', '', '{}', '${account}' FROM n`,
      )
      const lines = async (of: string) => (await store.listAudit({ limit: 2000, account: of })).length
      assert.deepEqual([await lines(account), await lines(bob)], [1000, 1])
      await begin(account, 'c')
      // The 263,900th.
      await store.endSessions({ account }, { account, name: 'ada@example.org', address: '' })
      const all = await store.listAudit({ limit: 2000 })
      assert.deepEqual(
        all.slice(-4).map(({ id, action }) => `${id} ${action}`),
        ['262901 session.begin', '3 session.begin', '2 account.create', '1 account.create'],
      )
    })

    it('note the last use of a key, which never goes back', async (t) => {
      const { store } = await open(t)
      const { id } = await webKey(store)
      await store.touchKeys(
        new Map([
          [id, NOW + 60_000],
          ['of a key that was revoked', NOW],
        ]),
      )
      await store.touchKeys(new Map([[id, NOW + 30_000]]))
      await store.touchKeys(new Map())
      assert.equal((await store.listKeys())[0]?.lastUsedAt, NOW + 60_000)
    })

    it('count how often the tokens of a key were ended, through all other changes of it', async (t) => {
      const { store, run } = await open(t)
      const generations = async () => {
        const [key] = await store.listKeys()
        return [
          key?.tokenGeneration,
          [...(await store.readDirectory()).keysById.values()][0]?.tokenGeneration,
        ]
      }
      await webKey(store)
      assert.deepEqual(await generations(), [undefined, undefined])
      await store.endKeyTokens(WEB, ACTOR)
      await store.endKeyTokens(WEB, ACTOR)
      const { tokenGeneration } = await store.updateKey({ ...WEB, rules: { localhost: false } }, ACTOR)
      await store.rotateKey({ ...WEB, hash: hash('2'), oldUntil: NOW + 1 }, ACTOR)
      assert.deepEqual([tokenGeneration, ...(await generations())], [2, 2, 2])
      await run('UPDATE keys SET token_generation = -1')
      assert.deepEqual(await generations(), [Number.NaN, Number.NaN], 'damage is the number of no token')
    })

    it('end the tokens of every key that opens an app, and of no other', async (t) => {
      const { store, run } = await open(t)
      const actor = { account: 'A', name: 'ada@example.org', address: '192.0.2.7' }
      await store.createApp({ slug: 'demo', owner: null }, 'test')
      const make = (name: string, apps: 'all' | string[]) =>
        store.createKey({ owner: null, name, hash: hash(name), rules: { ...UNLIMITED, apps } }, 'test')
      await make('all', 'all')
      await make('alone', ['demo'])
      await make('both', ['demo', 'todo'])
      await make('other', ['todo'])
      await make('odd', ['todo'])
      await run(`UPDATE keys SET rules = '{' WHERE name = 'odd'`)
      assert.equal(await store.endAppTokens('demo', actor), 4)
      const generations = (await store.listKeys()).map((key) => [key.name, key.tokenGeneration])
      assert.deepEqual(generations, [
        ['all', 1],
        ['alone', 1],
        ['both', 1],
        ['odd', 1],
        ['other', undefined],
      ])
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual(
        [line!.action, line!.subject, line!.details, line!.account, line!.address],
        ['app.end-tokens', 'demo', '{"keys":4}', 'A', '192.0.2.7'],
      )
      assert.equal(line!.app, (await store.listApps())[0]!.id)
      await assert.rejects(store.endAppTokens('todo', 'test'), { code: 'app_not_found' })
    })

    it('keep settings', async (t) => {
      const { store, open: again } = await open(t)
      assert.equal(await store.setting('quota'), undefined)
      await store.putSetting('quota', 'häl\u0000lo')
      assert.equal(await store.setting('quota'), 'häl\u0000lo')
      await store.putSetting('quota', 'grüezi')
      assert.equal(await (await again()).setting('quota'), 'grüezi')
    })
  })
}
