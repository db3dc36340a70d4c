import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { alertsOf, indexesOf, SITE_DOMAINS, SITES, serverFacts } from '../../test/account-context.ts'
import { createPasswords } from '../credentials/password.ts'
import { formatPasswordHash } from '../credentials/password-hash.ts'
import { generateRecoveryCodes, hashRecoveryCode } from '../credentials/recovery-codes.ts'
import { createResetLimits } from '../credentials/reset-limits.ts'
import { createSignInLimits } from '../credentials/sign-in-limits.ts'
import { generateTotpSecret } from '../credentials/totp.ts'
import { AppError } from '../errors.ts'
import type { AccountRecord } from '../storage/account-records.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { openAccounts } from '../storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { authenticateSession } from './authenticate-session.ts'
import type { AccountsContext } from './context.ts'
import { createSetupLink } from './create-setup-link.ts'
import { setUpAccount } from './set-up-account.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ORIGIN = 'https://db.example.org'
const ADA = {
  email: 'Ada@Example.org',
  name: '<img onerror=alert(1)> \u202eAda',
  password: 'weaving numbers 1843',
}
const FROM = { address: '192.0.2.7', userAgent: 'a browser' }

describe('sign-in', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-sign-in-'))
  let accounts: AccountStore
  let context: AccountsContext
  let account: AccountRecord
  let clock = Date.parse('2026-11-29')
  const now = (): number => clock

  const newLink = async (): Promise<string> => {
    const { link, until } = await createSetupLink(context, { kind: 'command-line', actor: 'cli:ada' })
    assert.equal(until, clock + DAY_MS)
    assert.ok(link.startsWith(`${ORIGIN}/_/setup#`), link)
    return link.slice(link.indexOf('#') + 1)
  }
  const setUp = (secret: string) => setUpAccount(context, { ...ADA, ...FROM, secret })
  const enter = (more: { email?: string; password?: string; code?: string; address?: string } = {}) =>
    signIn(context, { ...ADA, ...FROM, ...more })

  before(async () => {
    openDataFolder(dataDir)
    accounts = await openAccounts({ dataDir, now })
  })
  after(async () => {
    await accounts.close()
    rmSync(dataDir, { recursive: true })
  })
  beforeEach(() => {
    context = {
      accounts,
      now,
      passwords: createPasswords({ cores: 2 }),
      signInLimits: createSignInLimits(now),
      limitResets: createResetLimits(now),
      origin: ORIGIN,
      sites: SITES,
      alerts: alertsOf(accounts, now),
      siteDomains: SITE_DOMAINS,
      passkeys: undefined,
      isSignupOpen: false,
      server: serverFacts(dataDir),
      ...indexesOf(dataDir),
    }
  })

  it('has one account made by a link, however often it is used at once, and none after its day', async () => {
    const late = await newLink()
    clock += DAY_MS
    await assert.rejects(setUp(late), { code: 'invalid_link' })
    const secret = await newLink()
    const weak = { ...ADA, ...FROM, secret }
    for (const bad of [{ password: 'short' }, { email: 'ada' }, { name: ' ' }, { name: 'a\u0000' }])
      await assert.rejects(setUpAccount(context, { ...weak, ...bad }), { code: 'invalid_account' })
    const made = await Promise.allSettled([setUp(secret), setUp(secret)])
    assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const [first] = await accounts.listAccounts()
    account = first!
    assert.equal(account.isOperator, true)
    assert.equal(account.name, ADA.name)
    await assert.rejects(setUp(secret), { code: 'invalid_link' })
  })

  it('opens a session to the right password, whatever the letter case of the address, and ends it', async () => {
    const { secret } = await enter({ email: 'ADA@example.ORG' })
    const open = await authenticateSession(context, secret)
    assert.equal(open.account.id, account.id)
    await signOut(context, { ...open, address: '192.0.2.1' })
    await assert.rejects(authenticateSession(context, secret), { code: 'invalid_credentials' })
    for (const none of [undefined, '', 'x', 'a'.repeat(43), 'a'.repeat(1e6)])
      await assert.rejects(authenticateSession(context, none))
  })

  it('ends a session that was not used for a week, and any after thirty days', async () => {
    const { secret } = await enter()
    const began = clock
    for (; clock < began + 30 * DAY_MS; clock += 6 * DAY_MS) await authenticateSession(context, secret)
    await assert.rejects(authenticateSession(context, secret), { code: 'invalid_credentials' })
    const idle = await enter()
    clock += 7 * DAY_MS
    await assert.rejects(authenticateSession(context, idle.secret), { code: 'invalid_credentials' })
  })

  it('says the same of a wrong password and an unknown address', async () => {
    const messages = new Set<string>()
    for (const bad of [
      { password: 'weaving numbers 1844' },
      { email: 'nobody@example.org' },
      { email: 'a'.repeat(1e6) },
    ])
      await enter(bad).catch(({ code, message }) => messages.add(`${code} ${message}`))
    assert.deepEqual(
      [...messages].map((text) => text.split(' ')[0]),
      ['invalid_credentials'],
    )
  })

  it('has strangers wait behind ten wrong passwords, and neither the owner nor other accounts', async () => {
    const wrong = { password: 'not the password' }
    await enter({ address: '2001:db8:0:1::5' })
    for (let i = 0; i < 10; i++)
      await assert.rejects(enter({ ...wrong, address: `198.51.100.${i}` }), { code: 'invalid_credentials' })
    await assert.rejects(
      enter({ address: '198.51.100.200' }),
      (error: { code: string; retryAfterSeconds: number }) => {
        assert.equal(error.code, 'too_many_failures')
        assert.ok(error.retryAfterSeconds > 0 && error.retryAfterSeconds <= 60)
        return true
      },
    )
    assert.ok((await enter()).secret)
    // One machine takes another address of its network every day.
    assert.ok((await enter({ address: '2001:db8:0:1:abcd:1:2:3' })).secret)
    await assert.rejects(enter({ address: '2001:db8:0:2::5' }), { code: 'too_many_failures' })
    await assert.rejects(enter({ email: 'b@example.org', address: '198.51.100.200' }), {
      code: 'invalid_credentials',
    })
  })

  it('takes a code of a second factor once, and each recovery code once', async () => {
    const base32 = generateTotpSecret()
    const [recovery] = generateRecoveryCodes()
    const secret = Buffer.from(base32)
    const recoveryHashes = [hashRecoveryCode(recovery!)!]
    await accounts.enableTotp({ account: account.id, secret, step: 0, recoveryHashes }, 'test')
    const totp = new TOTP({ secret: Secret.fromBase32(base32) })
    await assert.rejects(enter(), { code: 'code_required' })
    await assert.rejects(enter({ password: 'not the password' }), { code: 'invalid_credentials' })
    const code = totp.generate({ timestamp: clock })
    assert.ok((await enter({ code })).secret)
    await assert.rejects(enter({ code }), { code: 'invalid_credentials' })
    const old = totp.generate({ timestamp: clock - 60_000 })
    await assert.rejects(enter({ code: old }), { code: 'invalid_credentials' })
    assert.ok((await enter({ code: recovery!.toUpperCase() })).secret)
    await assert.rejects(enter({ code: recovery! }), { code: 'invalid_credentials' })
  })

  it('has codes tried no more often than passwords, where the owner signs in from, too', async () => {
    const code = 'no code'
    for (let i = 0; i < 10; i++) await assert.rejects(enter({ code }), { code: 'invalid_credentials' })
    await assert.rejects(enter({ code }), { code: 'too_many_failures' })
    // Asking for the code takes no failure back.
    for (let i = 0; i < 20; i++) await assert.rejects(enter(), { code: 'code_required' })
    await assert.rejects(enter({ code }), { code: 'too_many_failures' })
    clock += 5_000
    await assert.rejects(enter({ code }), { code: 'invalid_credentials' })
    await assert.rejects(enter({ code }), { code: 'too_many_failures' })
  })

  it('looks at a hundred of 10,000 wrong passwords from one network, at the most', async () => {
    let looked = 0
    const verify = async (): Promise<boolean> => {
      looked++
      return false
    }
    const passwords = { ...context.passwords, verify }
    const wrong = { ...ADA, ...FROM, password: 'not the password' }
    const codes = new Map<string, number>()
    for (let i = 0; i < 10_000; i++)
      await signIn(
        { ...context, passwords },
        { ...wrong, email: i % 2 ? ADA.email : `${i}@example.org` },
      ).catch(({ code }) => codes.set(code, (codes.get(code) ?? 0) + 1))
    assert.equal(looked, 100)
    assert.deepEqual(Object.fromEntries(codes), { invalid_credentials: 100, too_many_failures: 9_900 })
  })

  it('begins no session by a password or without a code that was right when it began', async () => {
    const { passwords } = context
    const { password } = ADA
    const { id } = await accounts.createAccount(
      {
        email: 'grace@example.org',
        name: 'Grace',
        password: await passwords.hash(password),
        isOperator: false,
      },
      'test',
    )
    const secret = Buffer.from(generateTotpSecret())
    for (const change of [
      async () =>
        void (await accounts.updateAccount({ id, password: await passwords.hash(`${password}!`) }, 'test')),
      () => accounts.enableTotp({ account: id, secret, step: 0, recoveryHashes: [] }, 'test'),
    ]) {
      await accounts.updateAccount({ id, password: await passwords.hash(password) }, 'test')
      const verify = async (...given: Parameters<typeof passwords.verify>): Promise<boolean> => {
        const isRight = await passwords.verify(...given)
        await change()
        return isRight
      }
      const meanwhile = { ...context, passwords: { ...passwords, verify } }
      await assert.rejects(signIn(meanwhile, { ...FROM, email: 'grace@example.org', password }), {
        code: 'invalid_credentials',
      })
      assert.deepEqual(await accounts.listSessions(id), [])
    }
  })

  it('keeps a password at the cost of today, as soon as there is time to hash it', async () => {
    const email = 'mary@example.org'
    const salt = Buffer.from('a salt of sixteen'.slice(0, 16))
    const cost = { memoryKiB: 8192, passes: 1, lanes: 1 }
    const tag = argon2Sync('argon2id', {
      ...{ message: ADA.password, nonce: salt, tagLength: 32 },
      ...{ memory: cost.memoryKiB, passes: cost.passes, parallelism: cost.lanes },
    })
    const cheap = formatPasswordHash({ ...cost, salt, tag })
    const { id } = await accounts.createAccount(
      { email, name: 'Mary', password: cheap, isOperator: false },
      'test',
    )
    const keptNow = async () => (await accounts.findCredentials({ id }))!.password
    const hash = async () => {
      throw new AppError('overloaded', 'too many wait')
    }
    const busy = { ...context, passwords: { ...context.passwords, hash } }
    await signIn(busy, { ...FROM, email, password: ADA.password })
    assert.equal(await keptNow(), cheap)
    await enter({ email })
    assert.match(await keptNow(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await enter({ email })
  })

  it('takes a megabyte for no password, at no cost', async () => {
    await assert.rejects(enter({ password: 'a'.repeat(1e6), code: '1'.repeat(1e6) }), {
      code: 'invalid_credentials',
    })
  })
})
