import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { type Credential, cookieOf, Dashboard, PASSWORD } from './start-dashboard.ts'

const ADA = 'ada@example.org'
const GRACE = 'grace@example.org'
const WRONG = 'weaving numbers 1844'
const STEP_MS = 30_000

describe('a sign-in over HTTP', () => {
  let dashboard: Dashboard
  const signIn = (email: string, more: object = {}) =>
    dashboard.send('POST', '/session', {}, { json: { email, password: PASSWORD, ...more } })
  const opened = async (email: string): Promise<Credential> => cookieOf(await signIn(email))

  before(async () => {
    dashboard = await Dashboard.start()
    for (const email of [ADA, GRACE, 'edsger@example.org']) await dashboard.account(email)
  })
  after(() => dashboard.close())

  it('lists two sessions, ends one, and ends all', async () => {
    const [first, second] = [await opened(GRACE), await opened(GRACE)]
    const { json } = await dashboard.send('GET', '/account/sessions', first)
    assert.equal(json.length, 2)
    const other = json.find((each: { isCurrent: boolean }) => !each.isCurrent)
    assert.deepEqual([other.address, typeof other.seenAt], ['127.0.0.1', 'string'])
    const ended = await dashboard.send('DELETE', `/account/sessions/${other.id}`, first)
    assert.equal(ended.status, 204)
    assert.equal((await dashboard.send('GET', '/session', second)).status, 401)
    assert.equal((await dashboard.send('DELETE', '/account/sessions', first)).status, 200)
    assert.equal((await dashboard.send('GET', '/session', first)).status, 401)
  })

  it('is out elsewhere at its next call when the password is another one', async () => {
    const [first, second] = [await opened(GRACE), await opened(GRACE)]
    const password = 'another one of 1852'
    const change = await dashboard.send('PUT', '/account/password', first, {
      json: { current: PASSWORD, password },
    })
    assert.equal(change.status, 204, change.text)
    assert.equal((await dashboard.send('GET', '/session', second)).status, 401)
    assert.equal((await dashboard.send('GET', '/session', first)).status, 200)
    assert.equal((await signIn(GRACE)).status, 401)
    assert.equal((await signIn(GRACE, { password })).status, 200)
  })

  it('takes each code of the second factor once, and each recovery code', async () => {
    const session = await opened('edsger@example.org')
    const offered = await dashboard.send('POST', '/account/totp', session)
    const { secret, uri } = offered.json
    assert.match(uri, /^otpauth:\/\/totp\//)
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const begin = Date.now()
    // From the beginning, so that a code which was used is meant also where the next step begins meanwhile.
    const codeAt = (steps: number): string => totp.generate({ timestamp: begin + steps * STEP_MS })
    const wrong = await dashboard.send('PUT', '/account/totp', session, { json: { secret, code: '000000x' } })
    assert.equal(wrong.status, 400)
    const on = await dashboard.send('PUT', '/account/totp', session, { json: { secret, code: codeAt(0) } })
    assert.equal(on.json.recoveryCodes.length, 10)
    const withCode = (code: string) => signIn('edsger@example.org', { code })
    assert.equal((await signIn('edsger@example.org')).json.code, 'code_required')
    assert.equal((await withCode(codeAt(0))).status, 401)
    assert.equal((await withCode(codeAt(-3))).status, 401)
    const next = codeAt(1)
    assert.equal((await withCode(next)).status, 200)
    assert.equal((await withCode(next)).status, 401)
    const [recovery] = on.json.recoveryCodes
    assert.equal((await withCode(recovery)).status, 200)
    assert.equal((await withCode(recovery)).status, 401)
    const { json } = await dashboard.send('GET', '/account', session)
    assert.deepEqual([json.account.hasTotp, json.recoveryCodes], [true, 9])
  })

  it('makes a stranger wait behind ten wrong passwords, and neither the owner nor another account', async () => {
    await opened(ADA)
    dashboard.from('127.0.0.2')
    for (let failures = 0; failures < 10; failures++)
      assert.equal((await signIn(ADA, { password: WRONG })).status, 401)
    const waits = await signIn(ADA)
    assert.deepEqual([waits.status, waits.json.code], [429, 'too_many_failures'])
    assert.ok(Number(waits.headers['retry-after']) > 0)
    await dashboard.account('barbara@example.org')
    assert.equal((await signIn('barbara@example.org')).status, 200)
    dashboard.from('127.0.0.1')
    assert.equal((await signIn(ADA)).status, 200)
  })
})
