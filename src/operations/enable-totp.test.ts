import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { FROM, openAccountContext, PASSWORD, type TestAccountContext } from '../../test/account-context.ts'
import { generateTotpSecret } from '../credentials/totp.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import { PASSWORD_GOOD_MS } from './authorise-caller.ts'
import { beginTotp } from './begin-totp.ts'
import { changePassword } from './change-password.ts'
import { confirmPassword } from './confirm-password.ts'
import type { AccountCaller, AccountsContext } from './context.ts'
import { describeAccount } from './describe-account.ts'
import { disableTotp } from './disable-totp.ts'
import { enableTotp } from './enable-totp.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'
import { resetPassword } from './reset-password.ts'

const WRONG = { code: 'wrong_password' }
const INVALID = { code: 'invalid_credentials' }
const INVALID_CODE = { code: 'invalid_code' }
const STEP_MS = 30_000

const PASSWORD_ALONE = { password: true, passkeys: false, oidc: false }

describe('the second factor of an account', () => {
  let test: TestAccountContext
  let context: AccountsContext
  let account: AccountRecord
  let count = 0
  let caller: AccountCaller
  let sessionSecret: string

  before(async () => {
    test = await openAccountContext()
  })
  after(() => test.close())
  beforeEach(async () => {
    account = await test.addAccount(`ada${count++}`)
    context = test.contextWith()
    ;({ caller, secret: sessionSecret } = await test.enter(account.email))
  })

  const codeOf = (secret: string, timestamp = test.clock.now): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  const again = () => authenticateCaller(context, { sessionSecret, ...FROM })

  /** Switches it on; the next code is one that was not used. */
  const enabled = async (): Promise<{ secret: string; recoveryCodes: readonly string[] }> => {
    const { secret } = await beginTotp(context, caller)
    const { recoveryCodes } = await enableTotp(context, caller, { secret, code: codeOf(secret) })
    test.clock.now += STEP_MS
    caller = await again()
    return { secret, recoveryCodes }
  }

  it('is offered with the name of the service and the account, and kept nowhere', async () => {
    const { secret, uri } = await beginTotp(context, caller)
    const offered = new URL(uri)
    assert.equal(offered.searchParams.get('secret'), secret)
    assert.equal(offered.searchParams.get('issuer'), 'Sheaf db.example.org 8443')
    assert.equal(decodeURIComponent(offered.pathname), `/Sheaf db.example.org 8443:${account.email}`)
    assert.equal((await describeAccount(context, caller)).account.hasTotp, false)
  })

  it('is made by a secret of our form alone, and a code that shows that an app has it', async () => {
    const secret = generateTotpSecret()
    const code = codeOf(secret)
    for (const bad of ['', 'GEZDGNBVGY3TQOJQ', secret.toLowerCase(), `${secret}======`, 'A'.repeat(1e6)])
      await assert.rejects(enableTotp(context, caller, { secret: bad, code }), INVALID_CODE)
    for (const bad of ['', codeOf(secret, test.clock.now - 2 * STEP_MS), '1'.repeat(1e6)])
      await assert.rejects(enableTotp(context, caller, { secret, code: bad }), INVALID_CODE)
    await assert.rejects(replaceRecoveryCodes(context, caller), INVALID_CODE)
    await disableTotp(context, caller)
    assert.deepEqual(await describeAccount(context, caller), {
      account,
      waysIn: PASSWORD_ALONE,
      recoveryCodes: 0,
    })
  })

  it('ends all other sessions, and uses up the code that it was made by', async () => {
    const other = await test.enter(account.email)
    const { secret } = await beginTotp(context, caller)
    const code = codeOf(secret)
    const { recoveryCodes } = await enableTotp(context, caller, { secret, code })
    assert.equal(new Set(recoveryCodes).size, 10)
    await assert.rejects(authenticateCaller(context, { sessionSecret: other.secret, ...FROM }), INVALID)
    await assert.rejects(test.enter(account.email), { code: 'code_required' })
    await assert.rejects(test.enter(account.email, code), INVALID)
    assert.deepEqual(await describeAccount(context, await again()), {
      ...{ account: { ...account, hasTotp: true }, waysIn: PASSWORD_ALONE, recoveryCodes: 10 },
    })
    await test.enter(account.email, codeOf(secret, test.clock.now + STEP_MS))
  })

  it('is asked for whenever the password is, and no code of it is taken twice', async () => {
    const { secret, recoveryCodes } = await enabled()
    const code = codeOf(secret)
    await assert.rejects(confirmPassword(context, caller, { password: PASSWORD }), { code: 'code_required' })
    await assert.rejects(confirmPassword(context, caller, { password: 'not the password', code }), WRONG)
    await confirmPassword(context, caller, { password: PASSWORD, code })
    await assert.rejects(confirmPassword(context, caller, { password: PASSWORD, code }), WRONG)
    const change = { current: PASSWORD, password: 'seven looms, no thread' }
    await assert.rejects(changePassword(context, caller, { ...change, code }), WRONG)
    await assert.rejects(changePassword(context, caller, change), { code: 'code_required' })
    const weak = { ...change, password: 'short', code: recoveryCodes[0]! }
    await assert.rejects(changePassword(context, caller, weak), { code: 'invalid_account' })
    await changePassword(context, caller, { ...change, code: recoveryCodes[0]! })
    const once = { password: change.password, code: recoveryCodes[0]! }
    await assert.rejects(confirmPassword(context, caller, once), WRONG)
    assert.equal((await describeAccount(context, caller)).recoveryCodes, 9)
  })

  it('is not found by trying codes in a session', async () => {
    await enabled()
    const wrong = { password: PASSWORD, code: 'no code' }
    for (let i = 0; i < 10; i++) await assert.rejects(confirmPassword(context, caller, wrong), WRONG)
    await assert.rejects(confirmPassword(context, caller, wrong), { code: 'too_many_failures' })
  })

  it('stays with a new password by a link', async () => {
    await enabled()
    const secret = await test.addLink({ purpose: 'reset', account: account.id })
    await resetPassword(context, { secret, password: PASSWORD, address: FROM.address })
    await assert.rejects(test.enter(account.email), { code: 'code_required' })
  })

  it('gets ten other recovery codes, and those before are good for nothing', async () => {
    const { recoveryCodes: before } = await enabled()
    const { recoveryCodes } = await replaceRecoveryCodes(context, caller)
    assert.equal(new Set([...before, ...recoveryCodes]).size, 20)
    await assert.rejects(test.enter(account.email, before[0]), INVALID)
    await test.enter(account.email, recoveryCodes[0])
    await assert.rejects(test.enter(account.email, recoveryCodes[0]), INVALID)
  })

  it('is taken away with its codes, which ends all other sessions', async () => {
    const { secret, recoveryCodes } = await enabled()
    const other = await test.enter(account.email, codeOf(secret))
    await disableTotp(context, caller)
    await assert.rejects(authenticateCaller(context, { sessionSecret: other.secret, ...FROM }), INVALID)
    await test.enter(account.email)
    assert.equal((await describeAccount(context, await again())).recoveryCodes, 0)
    const audit = JSON.stringify(await context.accounts.listAudit({ limit: 1000 }))
    for (const shown of [secret, ...recoveryCodes]) assert.ok(!audit.includes(shown))
  })

  it('is touched by no token, and ten minutes after the password was given by no session', async () => {
    const secret = generateTotpSecret()
    const { session: _, ...rest } = caller
    const times = { expiresAt: Infinity, createdAt: 0, lastUsedAt: null }
    const permissions = ['read', 'write', 'apps', 'server']
    const byToken = {
      ...rest,
      token: { id: 'token', account: account.id, name: 'ci', permissions, ...times },
    }
    const acts = [
      (who: AccountCaller) => enableTotp(context, who, { secret, code: codeOf(secret) }),
      (who: AccountCaller) => disableTotp(context, who),
      (who: AccountCaller) => replaceRecoveryCodes(context, who),
    ]
    await assert.rejects(beginTotp(context, byToken), { code: 'permission_denied' })
    test.clock.now += PASSWORD_GOOD_MS
    for (const act of acts) {
      await assert.rejects(act(byToken), { code: 'permission_denied' })
      await assert.rejects(act(caller), { code: 'password_required' })
    }
  })
})
