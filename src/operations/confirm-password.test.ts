import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { FROM, openAccountContext, PASSWORD, type TestAccountContext } from '../../test/account-context.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import { PASSWORD_GOOD_MS } from './authorise-caller.ts'
import { changePassword } from './change-password.ts'
import { confirmPassword } from './confirm-password.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { resetPassword } from './reset-password.ts'
import { signIn } from './sign-in.ts'
import { updateAccount } from './update-account.ts'

const WRONG = { code: 'wrong_password' }
const INVALID = { code: 'invalid_credentials' }
const NEW_PASSWORD = 'seven looms, no thread'

describe('the password of an account', () => {
  let test: TestAccountContext
  let context: AccountsContext
  let account: AccountRecord
  let count = 0
  let caller: AccountCaller
  let secret: string

  before(async () => {
    test = await openAccountContext()
  })
  after(() => test.close())
  beforeEach(async () => {
    account = await test.addAccount(`ada${count++}`)
    context = test.contextWith()
    ;({ caller, secret } = await test.enter(account.email))
  })

  const again = (sessionSecret = secret) => authenticateCaller(context, { sessionSecret, ...FROM })
  const mayDoHarm = async () => updateAccount(context, await again(), { email: account.email })
  const byToken = (): AccountCaller => {
    const { session: _, ...rest } = caller
    const times = { expiresAt: Infinity, createdAt: 0, lastUsedAt: null }
    const permissions = ['read', 'write', 'apps', 'server']
    return { ...rest, token: { id: 'token', account: account.id, name: 'ci', permissions, ...times } }
  }

  it('is given again after ten minutes, before what does harm in the wrong hands', async () => {
    await mayDoHarm()
    test.clock.now += PASSWORD_GOOD_MS
    await assert.rejects(mayDoHarm(), { code: 'password_required' })
    await assert.rejects(confirmPassword(context, caller, { password: NEW_PASSWORD }), WRONG)
    await assert.rejects(mayDoHarm(), { code: 'password_required' })
    await confirmPassword(context, caller, { password: PASSWORD })
    await mayDoHarm()
  })

  it('is neither given nor changed by a token', async () => {
    const denied = { code: 'permission_denied' }
    await assert.rejects(confirmPassword(context, byToken(), { password: PASSWORD }), denied)
    const change = { current: PASSWORD, password: NEW_PASSWORD }
    await assert.rejects(changePassword(context, byToken(), change), denied)
    await assert.rejects(updateAccount(context, byToken(), { name: 'Eve' }), denied)
  })

  it('is tried no more often in a session than at a sign-in', async () => {
    const elsewhere = { ...caller, address: '198.51.100.7' }
    for (let i = 0; i < 10; i++)
      await assert.rejects(confirmPassword(context, elsewhere, { password: NEW_PASSWORD }), WRONG)
    await assert.rejects(confirmPassword(context, elsewhere, { password: PASSWORD }), {
      code: 'too_many_failures',
    })
    await confirmPassword(context, caller, { password: PASSWORD })
    const wrong = { current: NEW_PASSWORD, password: NEW_PASSWORD }
    for (let i = 0; i < 20; i++) await assert.rejects(changePassword(context, caller, wrong), WRONG)
  })

  it('is changed by the old one, which ends all other sessions and links and lets nobody in', async () => {
    const other = await test.enter(account.email)
    const link = await test.addLink({ purpose: 'reset', account: account.id })
    test.clock.now += PASSWORD_GOOD_MS
    const change = { current: PASSWORD, password: NEW_PASSWORD }
    await assert.rejects(changePassword(context, caller, { ...change, current: NEW_PASSWORD }), WRONG)
    for (const password of ['short', account.email, 'a'.repeat(1e6)])
      await assert.rejects(changePassword(context, caller, { ...change, password }), {
        code: 'invalid_account',
      })
    await again(other.secret)
    await changePassword(context, caller, change)
    await mayDoHarm()
    await assert.rejects(again(other.secret), INVALID)
    const input = { secret: link, password: NEW_PASSWORD, address: FROM.address }
    await assert.rejects(resetPassword(context, input), { code: 'invalid_link' })
    await assert.rejects(test.enter(account.email), INVALID)
    await signIn(context, { ...FROM, email: account.email, password: NEW_PASSWORD })
  })

  it('is changed by nobody who was put out while the new one was hashed', async () => {
    const { passwords } = context
    const hash = async (password: string): Promise<string> => {
      const kept = await passwords.hash(password)
      const link = await test.addLink({ purpose: 'reset', account: account.id })
      await resetPassword(test.context, { secret: link, password: NEW_PASSWORD, address: FROM.address })
      return kept
    }
    const late = { ...context, passwords: { ...passwords, hash } }
    const change = { current: PASSWORD, password: 'nine shuttles, one weaver' }
    await assert.rejects(changePassword(late, caller, change), INVALID)
    await signIn(context, { ...FROM, email: account.email, password: NEW_PASSWORD })
  })

  it('is reset by a link, once, which ends every session', async () => {
    const link = await test.addLink({ purpose: 'reset', account: account.id })
    const input = { secret: link, password: NEW_PASSWORD, address: FROM.address }
    await assert.rejects(resetPassword(context, { ...input, password: account.email }), {
      code: 'invalid_account',
    })
    const resets = await Promise.allSettled([resetPassword(context, input), resetPassword(context, input)])
    assert.deepEqual(resets.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.deepEqual(
      resets.find(({ status }) => status === 'fulfilled'),
      {
        ...{ status: 'fulfilled', value: { email: account.email } },
      },
    )
    await assert.rejects(again(), INVALID)
    await assert.rejects(resetPassword(context, input), { code: 'invalid_link' })
    await signIn(context, { ...FROM, email: account.email, password: NEW_PASSWORD })
    const invitation = await test.addLink({ purpose: 'invite', email: null, isOperator: false })
    await assert.rejects(resetPassword(context, { ...input, secret: invitation }), { code: 'invalid_link' })
  })

  it('is not wanted for another name, but for another address to sign in by', async () => {
    const taken = await test.addAccount(`taken${count}`)
    await assert.rejects(updateAccount(context, caller, {}), { code: 'invalid_account' })
    await assert.rejects(updateAccount(context, caller, { name: 'a\u0000' }), { code: 'invalid_account' })
    await assert.rejects(updateAccount(context, caller, { email: 'ada' }), { code: 'invalid_account' })
    await assert.rejects(updateAccount(context, caller, { email: taken.email.toUpperCase() }), {
      code: 'account_exists',
    })
    test.clock.now += PASSWORD_GOOD_MS
    const late = await again()
    const email = `grace${count}@example.org`
    assert.equal((await updateAccount(context, late, { name: '<b>Ada' })).name, '<b>Ada')
    await assert.rejects(updateAccount(context, late, { email }), { code: 'password_required' })
    await confirmPassword(context, caller, { password: PASSWORD })
    assert.equal((await updateAccount(context, await again(), { email })).email, email)
    await test.enter(email)
  })
})
