import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UNLIMITED } from '../../src/domain/key-rules.ts'
import type { AuditFilter } from '../../src/storage/account-store.ts'
import { ACTOR, hash, type OpenTestAccounts } from './harness.ts'

const WEB = { owner: null, name: 'web' }

export function auditSearch(database: string, open: OpenTestAccounts): void {
  describe(`accounts on ${database}: the audit trail`, () => {
    it('is searched by the texts that stand in it, letter for letter', async (t) => {
      const { store } = await open(t)
      const ada = { account: '01A', name: 'ada%1@example.org', address: '192.0.2.1' }
      await store.createApp({ slug: 'demo', owner: null }, 'cli:Ada_1')
      const { id: app } = await store.createApp({ slug: 'gone', owner: null }, ada)
      await store.createKey({ ...WEB, hash: hash('1'), rules: UNLIMITED }, ACTOR)
      await store.revokeKey(WEB, { ...ada, app })
      await store.removeApp('gone', 'cli:bob')
      await store.createApp({ slug: 'app.create', owner: null }, 'cli:bob')
      const found = async (filter: Omit<AuditFilter, 'limit'>) =>
        (await store.listAudit({ limit: 9, ...filter })).map(({ action, subject }) => `${action} ${subject}`)
      assert.deepEqual(await found({ search: { actor: 'ADA' } }), [
        'key.revoke web',
        'app.create gone',
        'app.create demo',
      ])
      assert.deepEqual(await found({ search: { actor: 'a_1' } }), ['app.create demo'])
      assert.deepEqual(await found({ search: { actor: '%' } }), ['key.revoke web', 'app.create gone'])
      assert.deepEqual(await found({ search: { actor: '\\' } }), [])
      assert.deepEqual(await found({ search: { action: 'create', subject: 'demo' } }), ['app.create demo'])
      assert.deepEqual(await found({ search: { address: '0.2' } }), ['key.revoke web', 'app.create gone'])
      assert.deepEqual(await found({ slug: 'gone' }), [
        'app.remove gone',
        'key.revoke web',
        'app.create gone',
      ])
      assert.deepEqual(await found({ slug: 'gone', search: { action: 'key.' } }), ['key.revoke web'])
      assert.deepEqual(await found({ slug: 'go' }), [])
      const named = await store.listAudit({ limit: 9, search: { action: 'app.' } })
      assert.deepEqual(
        named.map(({ appSlug }) => appSlug),
        ['app.create', null, null, 'demo'],
      )
    })
  })
}
