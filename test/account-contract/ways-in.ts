import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACTOR, hash, newAccount, type OpenTestAccounts } from './harness.ts'

const FROM = { address: '192.0.2.1', userAgent: 'Firefox' }
const ISSUER = 'https://id.example.org'
const NONE = { passkeys: false, issuer: null }
const LAST = { code: 'last_way_in' }

export function waysIn(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: ways in`, () => {
    it('keep the password where no other way is open, and let it go where one is', async (t) => {
      const { store, run } = await open(t)
      const { id } = await newAccount(store, 'ada')
      const remove = (issuer: string | null) =>
        store.removePassword({ id, open: { passkeys: true, issuer } }, ACTOR)
      await assert.rejects(remove(ISSUER), LAST)
      await run(
        `INSERT INTO identities (account, issuer, subject, email, created_at) VALUES ('${id}', '${ISSUER}', 's', '', 0)`,
      )
      for (const issuer of [null, '', 'https://other.example.org']) await assert.rejects(remove(issuer), LAST)
      const password = { password: true, passkeys: false }
      assert.deepEqual(await store.findWaysIn({ account: id, open: NONE }), { ...password, oidc: false })
      const opened = { passkeys: true, issuer: ISSUER }
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
        { id, keepSession: kept.id, open: { passkeys: false, issuer: ISSUER } },
        ACTOR,
      )
      assert.deepEqual(await store.listSessions(id), [kept])
      assert.equal(await store.findLink(hash('3')), undefined)
      const [line] = await store.listAudit({ limit: 1 })
      assert.deepEqual([line?.action, line?.details], ['account.update', '{"password":false}'])
    })
  })
}
