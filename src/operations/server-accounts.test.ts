import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { FROM, openAccountContext, PASSWORD, type TestAccountContext } from '../../test/account-context.ts'
import { hashSecret } from '../credentials/secret.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import type { AccountCaller, Caller } from './context.ts'
import { createAccount } from './create-account.ts'
import { createInvitation } from './create-invitation.ts'
import { createPasswordReset } from './create-password-reset.ts'
import { createSetupLink } from './create-setup-link.ts'
import { disableAccountTotp } from './disable-account-totp.ts'
import { listAccounts } from './list-accounts.ts'
import { listServerAudit } from './list-server-audit.ts'
import { offerSetupLink } from './offer-setup-link.ts'
import { setAccountPassword } from './set-account-password.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ORIGIN = 'https://db.example.org:8443'
const COMMAND_LINE = { kind: 'command-line', actor: 'cli:ada' } as const
const DENIED = { code: 'permission_denied' }
const INVALID = { code: 'invalid_account' }
const OTHER = 'plaiting numbers 1844'

/** What is kept of a link. */
function hashOf(link: string, path: string): string {
  const start = `${ORIGIN}/_/${path}#`
  assert.ok(link.startsWith(start), link)
  return hashSecret(link.slice(start.length))
}

describe('the accounts of a server', () => {
  let test: TestAccountContext
  let ada: AccountRecord
  let bob: AccountRecord
  let operator: AccountCaller

  beforeEach(async () => {
    test = await openAccountContext()
    ada = await test.addAccount('ada', { isOperator: true })
    bob = await test.addAccount('bob')
    operator = (await test.enter(ada.email)).caller
  })
  afterEach(() => test.close())

  const byToken = (account: AccountRecord, permissions: string[]): AccountCaller => ({
    ...{ kind: 'account', account, address: FROM.address },
    token: {
      ...{ id: 't', account: account.id, name: 'ci', permissions },
      ...{ expiresAt: test.clock.now + DAY_MS, createdAt: 0, lastUsedAt: null },
    },
  })
  const disableOf = (caller: Caller, account: string) => disableAccountTotp(test.context, caller, { account })
  const resetOf = (caller: Caller, account: string) => createPasswordReset(test.context, caller, { account })

  it('are for operators and the command line alone', async () => {
    const everything: ((caller: Caller) => Promise<unknown>)[] = [
      (caller) => listAccounts(test.context, caller),
      (caller) => createInvitation(test.context, caller, {}),
      (caller) => createInvitation(test.context, caller, { isOperator: true }),
      (caller) => resetOf(caller, 'grace@example.org'),
      (caller) => disableOf(caller, 'grace@example.org'),
      (caller) => listServerAudit(test.context, caller, { limit: 10 }),
    ]
    const { caller: guest } = await test.enter(bob.email)
    const others = [guest, byToken(bob, ['server']), byToken(ada, ['read', 'write', 'apps'])]
    for (const act of everything) for (const caller of others) await assert.rejects(act(caller), DENIED)
    const token = byToken(ada, ['server'])
    await listAccounts(test.context, token)
    await listServerAudit(test.context, token, { limit: 10 })
    await createInvitation(test.context, token, {})
  })

  it('let no token at what accounts sign in by, nor make an operator', async () => {
    const token = byToken(ada, ['server'])
    await assert.rejects(createInvitation(test.context, token, { isOperator: true }), DENIED)
    await assert.rejects(resetOf(token, bob.email), DENIED)
    await assert.rejects(disableOf(token, bob.email), DENIED)
  })

  it('ask for the password again after ten minutes, for what gives access', async () => {
    test.clock.now += 10 * 60 * 1000
    const again = { code: 'password_required' }
    await assert.rejects(resetOf(operator, bob.email), again)
    await assert.rejects(disableOf(operator, bob.email), again)
    await assert.rejects(createInvitation(test.context, operator, { isOperator: true }), again)
    await createInvitation(test.context, operator, {})
    await resetOf(COMMAND_LINE, bob.email)
  })

  it('leave what an operator signs in by to his own page', async () => {
    await assert.rejects(resetOf(operator, ada.id), DENIED)
    await assert.rejects(disableOf(operator, 'ADA@example.org'), DENIED)
    await resetOf(COMMAND_LINE, ada.id)
  })

  it('are listed by their e-mail, without a password', async () => {
    const listed = await listAccounts(test.context, operator)
    assert.deepEqual(listed, [ada, bob])
    assert.ok(!JSON.stringify(listed).includes('argon2'))
    assert.deepEqual(await listAccounts(test.context, operator, { limit: 1, after: ada.email }), [bob])
    for (const filter of [{ limit: 0 }, { limit: 1001 }, { limit: 0.5 }, { email: '\0' }, { after: 'a\0' }])
      await assert.rejects(listAccounts(test.context, operator, filter), { code: 'invalid_parameter' })
  })

  it('come by invitation, for anybody or for one address, once and for seven days', async () => {
    const open = await createInvitation(test.context, operator, {})
    const bound = await createInvitation(test.context, operator, {
      email: 'Eve@example.org',
      isOperator: true,
    })
    assert.equal(open.until, test.clock.now + 7 * DAY_MS)
    const { accounts } = test.context
    const hash = hashOf(open.link, 'invite')
    assert.deepEqual(await accounts.findLink(hash), {
      ...{ purpose: 'invite', email: null, isOperator: false, hash, until: open.until },
    })
    const use = (link: string, email: string) =>
      accounts.useLinkForAccount({
        hash: hashOf(link, 'invite'),
        account: { email, name: 'Eve', password: 'not a hash' },
        address: FROM.address,
      })
    await assert.rejects(use(bound.link, 'mallory@example.org'), { code: 'invalid_link' })
    assert.equal((await use(bound.link, 'eve@example.org')).isOperator, true)
    assert.equal((await use(open.link, 'grace@example.org')).isOperator, false)
    await assert.rejects(use(open.link, 'heidi@example.org'), { code: 'invalid_link' })
    const late = await createInvitation(test.context, operator, {})
    test.clock.now += 7 * DAY_MS
    await assert.rejects(use(late.link, 'heidi@example.org'), { code: 'invalid_link' })
  })

  it('are not invited where the address is none, or has an account', async () => {
    const invite = (email: string) => createInvitation(test.context, operator, { email })
    for (const email of [
      '',
      'eve',
      'eve@',
      '@example.org',
      'e ve@example.org',
      'eve@example.org>',
      '"e"ve@example.org',
      `${'e'.repeat(255)}@example.org`,
    ])
      await assert.rejects(invite(email), INVALID, email)
    await assert.rejects(invite('e\u202eve@example.org'), INVALID)
    await assert.rejects(invite('BOB@example.org'), { code: 'account_exists' })
  })

  it('get another password by a link that is good for a day, the newest alone', async () => {
    const first = await resetOf(operator, bob.id)
    const second = await resetOf(operator, 'BOB@example.org')
    assert.equal(second.until, test.clock.now + DAY_MS)
    const { accounts } = test.context
    assert.equal(await accounts.findLink(hashOf(first.link, 'reset')), undefined)
    const found = await accounts.findLink(hashOf(second.link, 'reset'))
    assert.ok(found?.purpose === 'reset' && found.account === bob.id)
    for (const nobody of ['nobody@example.org', '01JX0000000000000000000000', '', '__proto__'])
      await assert.rejects(resetOf(operator, nobody), { code: 'account_not_found' })
  })

  it('lose a second factor that was lost, and every session with it', async () => {
    const { accounts } = test.context
    const { caller: guest } = await test.enter(bob.email)
    await assert.rejects(disableOf(operator, bob.email), { ...INVALID, message: /has no second factor/ })
    assert.equal((await accounts.listSessions(bob.id)).length, 1)
    await accounts.enableTotp(
      {
        ...{ account: bob.id, secret: Buffer.from('secret'), step: 1, recoveryHashes: ['a'] },
        keepSession: guest.session!.id,
      },
      'test',
    )
    const left = await disableOf(operator, bob.email)
    assert.deepEqual(left, { ...bob, hasTotp: false })
    assert.deepEqual(await accounts.listSessions(bob.id), [])
    const credentials = await accounts.findCredentials({ id: bob.id })
    assert.deepEqual([credentials?.totp, credentials?.recoveryCodes], [undefined, 0])
    assert.equal((await accounts.listSessions(ada.id)).length, 1)
  })

  it('are made and get passwords on the command line, by the rules that all passwords have', async () => {
    const eve = { email: 'eve@example.org', name: '<img onerror=alert(1)> \u202e', isOperator: false }
    for (const change of [{ password: 'short' }, { email: 'eve' }, { name: '' }, { name: 'a\u001b[31m' }])
      await assert.rejects(
        createAccount(test.context, COMMAND_LINE, { ...eve, password: PASSWORD, ...change }),
        INVALID,
      )
    const made = await createAccount(test.context, COMMAND_LINE, { ...eve, password: PASSWORD })
    assert.deepEqual([made.email, made.name, made.isOperator], [eve.email, eve.name, false])
    await test.enter(eve.email)
    const set = (account: string, password: string) =>
      setAccountPassword(test.context, COMMAND_LINE, { account, password })
    await assert.rejects(set(eve.email, 'password1234'), INVALID)
    await assert.rejects(set('nobody@example.org', OTHER), { code: 'account_not_found' })
    await set(eve.email, OTHER)
    assert.deepEqual(await test.context.accounts.listSessions(made.id), [])
    await assert.rejects(test.enter(eve.email), { code: 'invalid_credentials' })
  })

  it('leave lines in the audit trail that say who, and no secret', async () => {
    const { link } = await createInvitation(test.context, operator, { email: 'eve@example.org' })
    await resetOf(COMMAND_LINE, bob.email)
    await setAccountPassword(test.context, COMMAND_LINE, { account: bob.id, password: OTHER })
    const lines = await listServerAudit(test.context, operator, { limit: 3 })
    assert.deepEqual(
      lines.map(({ actor, account, address, action, subject }) => [actor, account, address, action, subject]),
      [
        ['cli:ada', null, null, 'account.update', bob.email],
        ['cli:ada', null, null, 'link.create', 'reset'],
        [ada.email, ada.id, FROM.address, 'link.create', 'invite'],
      ],
    )
    const text = JSON.stringify(lines)
    assert.ok(
      !text.includes(link.slice(-43)) && !text.includes(hashOf(link, 'invite')) && !text.includes(OTHER),
    )
    const find = (input: Parameters<typeof listServerAudit>[2]) =>
      listServerAudit(test.context, operator, input)
    assert.deepEqual(await find({ limit: 1, before: lines[0]!.id, action: 'link' }), [lines[1]])
    assert.deepEqual(await find({ address: FROM.address, subject: 'invite' }), [lines[2]])
    await test.context.accounts.createApp({ slug: 'demo', owner: null }, 'test')
    assert.deepEqual(
      (await find({ app: 'demo' })).map(({ action }) => action),
      ['app.create'],
    )
    const unusable = [
      ...[0, -1, 1.5, Number.NaN, 1001].map((limit) => ({ limit })),
      ...['', '-1', '1e3', '9'.repeat(19), 'x'].map((before) => ({ before })),
      ...['a\0', 'a'.repeat(255)].map((actor) => ({ actor })),
      { app: 'a\0' },
    ]
    for (const input of unusable) await assert.rejects(find(input), { code: 'invalid_parameter' })
  })
})

describe('a server without an account', () => {
  let test: TestAccountContext
  before(async () => {
    test = await openAccountContext()
  })
  after(() => test.close())

  it('lets nobody but an operator be the first', async () => {
    const eve = { email: 'eve@example.org', name: 'Eve', password: PASSWORD, isOperator: false }
    await assert.rejects(createAccount(test.context, COMMAND_LINE, eve), {
      ...INVALID,
      message: /--operator/,
    })
    await assert.rejects(createInvitation(test.context, COMMAND_LINE, { email: eve.email }), INVALID)
    await createInvitation(test.context, COMMAND_LINE, { email: eve.email, isOperator: true })
  })

  it('has one link for the first account, the newest, until there is one', async () => {
    const { accounts, now } = test.context
    const first = await createSetupLink(test.context, COMMAND_LINE)
    const second = await createSetupLink(test.context, COMMAND_LINE)
    assert.equal(second.until, now() + DAY_MS)
    assert.equal(await accounts.findLink(hashOf(first.link, 'setup')), undefined)
    assert.equal((await accounts.findLink(hashOf(second.link, 'setup')))?.purpose, 'setup')
    const ada = { email: 'ada@example.org', name: 'Ada', password: PASSWORD, isOperator: true }
    await createAccount(test.context, COMMAND_LINE, ada)
    await assert.rejects(createSetupLink(test.context, COMMAND_LINE), {
      code: 'account_exists',
      message: /sheaf account create/,
    })
    const open = { hasAccounts: () => true, putSetupLink: () => assert.fail() }
    assert.equal(offerSetupLink(open, { origin: ORIGIN, now }), undefined)
  })
})
