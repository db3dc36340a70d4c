import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { FROM, openAccountContext, type TestAccountContext } from '../../test/account-context.ts'
import { generateAccountToken } from '../credentials/secret.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import { PASSWORD_GOOD_MS } from './authorise-caller.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { type CreateTokenInput, createToken } from './create-token.ts'
import { deleteToken } from './delete-token.ts'
import { describeAccount } from './describe-account.ts'
import { endSession } from './end-session.ts'
import { endSessions } from './end-sessions.ts'
import { getPreferences } from './get-preferences.ts'
import { listAccountAudit } from './list-account-audit.ts'
import { listSessions } from './list-sessions.ts'
import { listTokens } from './list-tokens.ts'
import { putPreferences } from './put-preferences.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const INVALID = { code: 'invalid_credentials' }
const DENIED = { code: 'permission_denied' }

describe('what an account has of its own', () => {
  let test: TestAccountContext
  let context: AccountsContext
  let account: AccountRecord
  let count = 0
  let caller: AccountCaller
  let sessionSecret: string

  before(async () => {
    test = await openAccountContext()
    await test.addAccount('operator', { isOperator: true })
  })
  after(() => test.close())
  beforeEach(async () => {
    account = await test.addAccount(`ada${count++}`)
    context = test.contextWith()
    ;({ caller, secret: sessionSecret } = await test.enter(account.email))
  })

  const by = (given: { sessionSecret?: string; bearer?: string }) =>
    authenticateCaller(context, { ...given, address: FROM.address })
  const makeToken = (change: Partial<CreateTokenInput> = {}, who = caller) =>
    createToken(context, who, {
      name: 'ci',
      permissions: ['write', 'read', 'read'],
      expires: '30d',
      ...change,
    })

  it('is a token that lets others do what it says until its end, shown once', async () => {
    const { record, token } = await makeToken()
    assert.deepEqual(
      [record.permissions, record.expiresAt],
      [['read', 'write'], test.clock.now + 30 * DAY_MS],
    )
    const other = await by({ bearer: token })
    assert.deepEqual([other.account, other.token], [account, record])
    assert.deepEqual((await describeAccount(context, other)).account, account)
    assert.deepEqual(await listTokens(context, caller), [{ ...record, lastUsedAt: test.clock.now }])
    const kept = JSON.stringify([
      await listTokens(context, caller),
      await context.accounts.listAudit({ limit: 9 }),
    ])
    assert.ok(!kept.includes(token))
    test.clock.now += 30 * DAY_MS
    await assert.rejects(by({ bearer: token }), INVALID)
  })

  it('is no token without a name, a permission and an end within 400 days', async () => {
    for (const name of ['', ' a', '-a', 'a\u0000', '\ud800', 'a'.repeat(129), generateAccountToken()])
      await assert.rejects(makeToken({ name }), { code: 'invalid_name' })
    for (const permissions of [[], ['all'], ['read', 'Write'], ['__proto__'], ['']])
      await assert.rejects(makeToken({ permissions }), { code: 'invalid_rule' })
    for (const expires of [
      '',
      'never',
      '0d',
      '401d',
      '9601h',
      '2020-01-01',
      '2030-01-01',
      'soon',
      '1'.repeat(1e6),
    ])
      await assert.rejects(makeToken({ expires }), { code: 'invalid_rule' })
    await makeToken({ expires: '400d', name: `<img src=x onerror=alert(1)>\u202e${'🌾'.repeat(98)}` })
    await makeToken({ expires: '2027-01-31T12:00:00+01:00' })
    await assert.rejects(makeToken(), { code: 'token_exists' })
  })

  it('is a token for the server where the account is an operator alone', async () => {
    await assert.rejects(makeToken({ permissions: ['read', 'server'] }), DENIED)
    const operator = await test.enter('operator@example.org')
    const { token } = await makeToken({ permissions: ['server', 'apps'] }, operator.caller)
    assert.deepEqual((await by({ bearer: token })).token?.permissions, ['apps', 'server'])
  })

  it('is deleted by the account that has it alone, and lets nobody in from then on', async () => {
    const { record, token } = await makeToken()
    const operator = await test.enter('operator@example.org')
    await assert.rejects(deleteToken(context, operator.caller, record), { code: 'token_not_found' })
    await deleteToken(context, caller, record)
    await assert.rejects(deleteToken(context, caller, record), { code: 'token_not_found' })
    await assert.rejects(by({ bearer: token }), INVALID)
  })

  it('is not touched by a token, and no token is made ten minutes after the password was given', async () => {
    const { record, token } = await makeToken({ permissions: ['read', 'write', 'apps'] })
    const other = await by({ bearer: token })
    const acts: ((who: AccountCaller) => Promise<unknown>)[] = [
      (who) => makeToken({}, who),
      (who) => listTokens(context, who),
      (who) => deleteToken(context, who, record),
      (who) => listSessions(context, who),
      (who) => endSession(context, who, { id: caller.session!.id }),
      (who) => endSessions(context, who, { keepCurrent: false }),
      (who) => getPreferences(context, who),
      (who) => putPreferences(context, who, { preferences: '{}' }),
      (who) => listAccountAudit(context, who, { limit: 1 }),
    ]
    for (const act of acts) await assert.rejects(act(other), DENIED)
    test.clock.now += PASSWORD_GOOD_MS
    await assert.rejects(makeToken({ name: 'late' }), { code: 'password_required' })
    await by({ sessionSecret })
  })

  it('is a list of sessions, of which it ends one, or all others, or all', async () => {
    test.clock.now += 1000
    const second = await test.enter(account.email)
    test.clock.now += 1000
    const third = await test.enter(account.email)
    const stranger = await test.enter('operator@example.org')
    const listed = await listSessions(context, caller)
    assert.deepEqual(
      listed.map(({ id, isCurrent, address, userAgent }) => ({ id, isCurrent, address, userAgent })),
      [third, second, { caller }].map((each) => ({
        ...{ id: each.caller.session!.id, isCurrent: each.caller === caller },
        ...FROM,
      })),
    )
    assert.equal(listed[2]!.createdAt, test.clock.now - 2000)
    assert.equal(await endSession(context, caller, stranger.caller.session!), false)
    assert.equal(await endSession(context, caller, second.caller.session!), true)
    assert.equal(await endSession(context, caller, second.caller.session!), false)
    await assert.rejects(by({ sessionSecret: second.secret }), INVALID)
    assert.equal(await endSessions(context, caller, { keepCurrent: true }), 1)
    await by({ sessionSecret })
    assert.equal(await endSessions(context, caller, { keepCurrent: false }), 1)
    await assert.rejects(by({ sessionSecret }), INVALID)
    await by({ sessionSecret: stranger.secret })
  })

  it('is a JSON object of 64 KiB that the pages keep, exactly as it was given', async () => {
    assert.equal(await getPreferences(context, caller), '{}')
    const put = (preferences: string) => putPreferences(context, caller, { preferences })
    for (const bad of ['', '[]', 'null', '{', '{}x', '{"a":1,}', '"text"'])
      await assert.rejects(put(bad), { code: 'invalid_json' })
    await assert.rejects(put('{"a":1,"a":2}'), { code: 'duplicate_key' })
    await assert.rejects(put(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`), { code: 'nesting_too_deep' })
    const filled = (bytes: number): string => `{"a":"${'é'.repeat((bytes - 8) / 2)}"}`
    for (const tooLong of [filled(65_538), `{"a":"${'x'.repeat(1e6)}"}`])
      await assert.rejects(put(tooLong), { code: 'body_too_large' })
    for (const kept of [filled(65_536), '{ "n": 1.10, "__proto__": "\u202e<script>" }']) {
      await put(kept)
      assert.equal(await getPreferences(context, caller), kept)
    }
  })

  it('is a list of what it did itself, the newest first', async () => {
    for (const limit of [0, -1, 1.5, 1001, Number.NaN])
      await assert.rejects(listAccountAudit(context, caller, { limit }), { code: 'invalid_parameter' })
    const begun = await listAccountAudit(context, caller, { limit: 1000 })
    assert.deepEqual(
      begun.map(({ action, subject, details }) => [action, subject, details]),
      [['session.begin', caller.account.email, { way: 'password' }]],
    )
    const { record } = await makeToken()
    await deleteToken(context, caller, record)
    const lines = await listAccountAudit(context, caller, { limit: 1000 })
    assert.deepEqual(
      lines.map(({ action, subject, actor, address }) => [action, subject, actor, address]),
      [
        ...['account-token.delete', 'account-token.create'].map((action) => [
          action,
          'ci',
          account.email,
          FROM.address,
        ]),
        ['session.begin', account.email, account.email, FROM.address],
      ],
    )
    assert.equal((await listAccountAudit(context, caller, { limit: 1 })).length, 1)
  })
})
