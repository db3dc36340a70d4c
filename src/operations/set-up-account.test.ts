import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FROM, openAccountContext, PASSWORD, type TestAccountContext } from '../../test/account-context.ts'
import { generateSecret } from '../credentials/secret.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import { inspectLink } from './inspect-link.ts'
import { type SetUpAccountInput, setUpAccount } from './set-up-account.ts'

const HOUR_MS = 60 * 60 * 1000
const INVALID_LINK = { code: 'invalid_link' }
const DENIED = { code: 'permission_denied' }

describe('a new account', () => {
  let test: TestAccountContext
  let ada: AccountRecord

  before(async () => {
    test = await openAccountContext()
  })
  after(() => test.close())

  const given = (name: string, more: Partial<SetUpAccountInput> = {}): SetUpAccountInput => ({
    ...{ email: `${name}@example.org`, name, password: PASSWORD },
    ...FROM,
    ...more,
  })
  const inspect = (secret: string) => inspectLink(test.context, { secret })
  const open = (more = {}) => test.contextWith({ isSignupOpen: true, ...more })

  it('is never the first one without a setup link', async () => {
    await assert.rejects(setUpAccount(test.context, given('eve')), DENIED)
    await assert.rejects(setUpAccount(open(), given('eve')), DENIED)
    const account = { email: 'eve@example.org', name: 'eve', password: 'hash' }
    await assert.rejects(test.context.accounts.signUp({ account, address: FROM.address }), DENIED)
    assert.equal(await test.context.accounts.countAccounts(), 0)
  })

  it('is the first one by a setup link, which is told of before and ends with it', async () => {
    const secret = await test.addLink({ purpose: 'setup' })
    const until = test.clock.now + HOUR_MS
    assert.deepEqual(await inspect(secret), { purpose: 'setup', until })
    const made = await setUpAccount(test.context, given('ada', { secret }))
    ada = made.account
    assert.ok(ada.isOperator)
    const caller = await authenticateCaller(test.context, { sessionSecret: made.secret, ...FROM })
    assert.deepEqual([caller.account, caller.session], [ada, made.session])
    await assert.rejects(inspect(secret), INVALID_LINK)
  })

  it('is none by a link for setting up that is made when there is one', async () => {
    const secret = await test.addLink({ purpose: 'setup' })
    await assert.rejects(inspect(secret), INVALID_LINK)
    await assert.rejects(setUpAccount(test.context, given('eve', { secret })), INVALID_LINK)
  })

  it('takes an invitation where not everybody may make one', async () => {
    await assert.rejects(setUpAccount(test.context, given('eve')), DENIED)
    const secret = await test.addLink({ purpose: 'invite', email: null, isOperator: false })
    assert.deepEqual(await inspect(secret), { purpose: 'invite', until: test.clock.now + HOUR_MS })
    const { account } = await setUpAccount(test.context, given('grace', { secret }))
    assert.equal(account.isOperator, false)
    await assert.rejects(setUpAccount(test.context, given('eve', { secret })), INVALID_LINK)
  })

  it('has the address that the invitation is for, in any letter case, and another try after a wrong one', async () => {
    const invitation = { purpose: 'invite', email: 'Mary@example.org', isOperator: true } as const
    const secret = await test.addLink(invitation)
    assert.equal((await inspect(secret)).email, invitation.email)
    await assert.rejects(setUpAccount(test.context, given('eve', { secret })), { code: 'invalid_account' })
    const { account } = await setUpAccount(test.context, given('mary', { secret }))
    assert.deepEqual([account.email, account.isOperator], ['mary@example.org', true])
  })

  it('is made by anybody where sign-up is open, and never as an operator', async () => {
    const { account } = await setUpAccount(open(), given('kay'))
    assert.equal(account.isOperator, false)
    const [begun, line] = await test.context.accounts.listAudit({ limit: 2 })
    assert.deepEqual(
      [begun?.action, begun?.account, begun?.details],
      ['session.begin', account.id, '{"way":"sign-up"}'],
    )
    assert.deepEqual(
      [line?.action, line?.actor, line?.account, line?.address],
      ['account.create', 'kay@example.org', account.id, FROM.address],
    )
    await assert.rejects(setUpAccount(open(), given('kay', { email: 'KAY@example.org' })), {
      code: 'account_exists',
    })
  })

  it('is one of a hundred in ten minutes from one network', async () => {
    const cheap = { hash: async () => 'kept', verify: async () => false }
    const context = open({ passwords: cheap })
    for (let i = 0; i < 100; i++) await setUpAccount(context, given(`kay${i}`))
    await assert.rejects(setUpAccount(context, given('kay100')), { code: 'too_many_failures' })
    await setUpAccount(context, given('kay100', { address: '198.51.100.1' }))
  })

  it('may be called what it likes, as long as that is seen and has 120 characters at most', async () => {
    const name = (text: string) => setUpAccount(open(), given('odd', { name: text }))
    for (const bad of ['', ' ', 'a\u0000', 'a\nb', '\ud800', 'a'.repeat(121), 'a'.repeat(1e6)])
      await assert.rejects(name(bad), { code: 'invalid_account' })
    const hostile = `<img src=x onerror=alert(1)>\u202e</script>{{x}}${'a'.repeat(77)}`
    assert.equal(hostile.length, 120)
    assert.equal((await name(hostile)).account.name, hostile)
  })

  it('has no password of a megabyte and none of those that are tried first', async () => {
    for (const password of ['a'.repeat(1e6), 'password1234', 'short', '\ud800'.repeat(20)])
      await assert.rejects(setUpAccount(open(), given('weak', { password })), { code: 'invalid_account' })
  })

  it('comes of no link that has ended, never was, or is for a password', async () => {
    const late = await test.addLink({ purpose: 'invite', email: null, isOperator: false })
    const reset = await test.addLink({ purpose: 'reset', account: ada.id })
    assert.equal((await inspect(reset)).email, ada.email)
    await assert.rejects(setUpAccount(open(), given('eve', { secret: reset })), INVALID_LINK)
    test.clock.now += HOUR_MS
    for (const secret of [late, reset, generateSecret(), '', 'a'.repeat(1e6)]) {
      await assert.rejects(inspect(secret), INVALID_LINK)
      await assert.rejects(setUpAccount(open(), given('eve', { secret })), INVALID_LINK)
    }
  })
})
