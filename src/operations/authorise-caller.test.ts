import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TokenPermission } from '../domain/token-permissions.ts'
import type { AccountApp, AccountRecord } from '../storage/account-records.ts'
import {
  actorOf,
  authoriseCaller,
  ownerOf,
  PASSWORD_GOOD_MS,
  requireOperator,
  requireRecentPassword,
  requireSession,
  requireTokenPermission,
} from './authorise-caller.ts'
import type { AccountCaller } from './context.ts'

const ADA: AccountRecord = {
  id: '01JX0000000000000000000000',
  email: 'ada@example.org',
  name: 'Ada',
  isOperator: false,
  hasTotp: false,
  createdAt: 0,
}
const OPERATOR = { ...ADA, isOperator: true }
const COMMAND_LINE = { kind: 'command-line', actor: 'cli:root' } as const
const DENIED = { code: 'permission_denied' }

describe('the authorisation of callers', () => {
  it('lets operators and the command line at the server, and no other account', () => {
    requireOperator(COMMAND_LINE)
    requireOperator(inSession(OPERATOR))
    assert.throws(() => requireOperator(inSession(ADA)), DENIED)
  })

  it('lets a token do what it was made for, and its account what it may alone', () => {
    requireOperator(byToken(OPERATOR, ['server']))
    assert.throws(() => requireOperator(byToken(OPERATOR, ['read', 'write', 'apps'])), DENIED)
    assert.throws(() => requireOperator(byToken(ADA, ['server'])), DENIED)
    requireTokenPermission(byToken(ADA, ['write']), 'write')
    assert.throws(() => requireTokenPermission(byToken(ADA, ['write']), 'read'), DENIED)
  })

  it('lets at an app from the role that is wanted, and says of one of others that there is none', async () => {
    const app = { id: 'a', slug: 'todo', owner: null, createdAt: 0 } as AccountApp['app']
    const accounts = (role?: AccountApp['role']) => ({
      findAppOf: async () => role && { app, role },
      listApps: async () => [app],
    })
    const need = { slug: 'todo', role: 'editor', permission: 'apps' } as const
    const ada = inSession(ADA)
    await assert.rejects(authoriseCaller({ accounts: accounts() }, ada, need), { code: 'app_not_found' })
    await assert.rejects(authoriseCaller({ accounts: accounts('viewer') }, ada, need), DENIED)
    for (const role of ['editor', 'owner'] as const)
      assert.equal((await authoriseCaller({ accounts: accounts(role) }, ada, need)).app, app)
    await assert.rejects(
      authoriseCaller({ accounts: accounts('owner') }, byToken(ADA, ['read']), need),
      DENIED,
    )
    assert.deepEqual(await authoriseCaller({ accounts: accounts() }, COMMAND_LINE, need), {
      app,
      role: 'owner',
    })
    const other = { ...need, slug: 'tod' }
    await assert.rejects(authoriseCaller({ accounts: accounts() }, COMMAND_LINE, other), {
      code: 'app_not_found',
    })
  })

  it('lets no token at what an account signs in by', () => {
    const all = byToken(OPERATOR, ['read', 'write', 'apps', 'server'])
    assert.throws(() => requireSession(all), DENIED)
    assert.equal(requireSession(inSession(ADA)).id, 'session')
  })

  it('wants the password again after ten minutes, of a session alone', () => {
    const now = () => PASSWORD_GOOD_MS
    requireRecentPassword({ now }, inSession(ADA, 1))
    assert.throws(() => requireRecentPassword({ now }, inSession(ADA, 0)), { code: 'password_required' })
    requireRecentPassword({ now }, byToken(ADA, []))
    requireRecentPassword({ now }, COMMAND_LINE)
  })

  it('names an account and its address for the audit trail, and what operators make the operator', () => {
    assert.equal(actorOf(COMMAND_LINE), 'cli:root')
    const who = { account: ADA.id, name: ADA.email, address: '192.0.2.7' }
    const inIts = { ...who, session: 'session' }
    assert.deepEqual(actorOf(inSession(ADA)), inIts)
    assert.deepEqual(actorOf(inSession(ADA), 'app'), { ...inIts, app: 'app' })
    assert.deepEqual(actorOf(byToken(ADA, [])), who)
    assert.equal(ownerOf(OPERATOR), null)
    assert.equal(ownerOf(ADA), ADA.id)
  })
})

function inSession(account: AccountRecord, authenticatedAt = 0): AccountCaller {
  const times = { createdAt: 0, seenAt: 0, authenticatedAt }
  const session = { id: 'session', account: account.id, ...times, address: '', userAgent: '' }
  return { kind: 'account', account, address: '192.0.2.7', session }
}

function byToken(account: AccountRecord, permissions: readonly TokenPermission[]): AccountCaller {
  const times = { expiresAt: 1, createdAt: 0, lastUsedAt: null }
  const token = { id: 'token', account: account.id, name: 'ci', permissions, ...times }
  return { kind: 'account', account, address: '192.0.2.7', token }
}
