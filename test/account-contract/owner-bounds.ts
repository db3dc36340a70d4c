import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KeyRules, UNLIMITED } from '../../src/domain/key-rules.ts'
import { ACTOR, newAccount, type OpenTestAccounts } from './harness.ts'

export function ownerBounds(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: apps and keys of one owner`, () => {
    it('are no more of one account, and have no longer rules, than leave room for others', async (t) => {
      const { open: again } = await open(t)
      const store = await again({ apps: 20, keys: 50 })
      const ada = (await newAccount(store, 'ada')).id
      const bob = (await newAccount(store, 'bob')).id
      const key = (owner: string | null, name: string, rules: KeyRules = UNLIMITED) =>
        store.createKey({ owner, name, hash: `${name}${owner}`.padEnd(64, '0'), rules }, ACTOR)
      for (const slug of ['a', 'b']) await store.createApp({ slug, owner: ada }, ACTOR)
      const many = { code: 'too_many_apps', message: /an account may have at most 2 apps/ }
      await assert.rejects(store.createApp({ slug: 'c', owner: ada }, ACTOR), many)
      for (const owner of [bob, null])
        await store.createApp({ slug: `of-${owner ?? 'operator'}`.toLowerCase(), owner }, ACTOR)
      const collections = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(128, 'x'))
      const long = { ...UNLIMITED, collections }
      await key(ada, '1', long)
      const [line] = await store.listAudit({ limit: 1 })
      const { collections: audited } = JSON.parse(line!.details)
      assert.deepEqual(audited, [...collections.slice(0, 20), '… and 980 more'])
      const tooLong = {
        code: 'invalid_rule',
        message: /the rules of all keys and the settings of all apps together/,
      }
      await assert.rejects(key(ada, '2', long), tooLong)
      await key(ada, '2')
      await assert.rejects(store.updateKey({ owner: ada, name: '2', rules: { collections } }, ACTOR), tooLong)
      for (const owner of [bob, null]) await key(owner, '1', long)
      for (const name of ['3', '4', '5']) await key(ada, name)
      await assert.rejects(key(ada, '6'), { code: 'too_many_keys', message: /at most 5 keys/ })
      assert.equal((await store.listKeys({ owner: ada })).length, 5)
    })
  })
}
