import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cookieOf, Dashboard, PASSWORD } from './start-dashboard.ts'

const ADA = { email: 'ada@example.org', name: 'Ada', password: PASSWORD }
const EVIL = {
  Host: 'evil.example.org',
  'X-Forwarded-Host': 'evil.example.org',
  Origin: 'https://evil.example.org',
}

describe('the way from a first start to an account', () => {
  let dashboard: Dashboard
  const setUp = (secret: string, more: object = {}) =>
    dashboard.send('POST', '/account', {}, { json: { ...ADA, secret, ...more } })
  const secretOf = (link: string): string => link.slice(link.indexOf('#') + 1)

  before(async () => {
    dashboard = await Dashboard.start({ SHEAF_LOG_LEVEL: 'debug' })
  })
  after(() => dashboard.close())

  it('begins with a link in the greeting, which makes one account and signs it in', async () => {
    const { greeting, port } = dashboard.server
    const [link = ''] = /https:\/\/\S+\/_\/setup#\S+/.exec(greeting) ?? []
    assert.ok(link.startsWith(`https://127.0.0.1:${port}/_/setup#`), greeting)
    const secret = secretOf(link)
    const looked = await dashboard.send('POST', '/link', {}, { json: { secret } })
    assert.equal(looked.json.purpose, 'setup')
    assert.equal((await setUp(secret, { password: 'short' })).json.code, 'invalid_account')
    assert.equal((await setUp('x'.repeat(43))).json.code, 'invalid_link')
    const both = await Promise.all([setUp(secret), setUp(secret, { email: 'eve@example.org' })])
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
    const made = both.find(({ status }) => status === 201)!
    assert.equal(made.json.account.isOperator, true)
    const open = await dashboard.send('GET', '/session', cookieOf(made))
    assert.equal(open.json.account.id, made.json.account.id)
    assert.equal((await setUp(secret)).json.code, 'invalid_link')
    assert.equal((await dashboard.send('POST', '/link', {}, { json: { secret } })).json.code, 'invalid_link')
    for (const hidden of [secret, PASSWORD, cookieOf(made).Cookie!.split('=')[1]!])
      assert.ok(!dashboard.server.log.includes(hidden))
  })

  it('goes on by invitations, whose links name this server whatever a request says of its host', async () => {
    const [operator] = await dashboard.accounts.listAccounts()
    const session = await dashboard.session(operator!)
    const origin = `https://127.0.0.1:${dashboard.server.port}/_/`
    const invited = await dashboard.send('POST', '/server/invitations', session, {
      json: { email: 'grace@example.org' },
      headers: EVIL,
    })
    assert.equal(invited.status, 201)
    assert.ok(invited.json.link.startsWith(`${origin}invite#`), invited.json.link)
    const secret = secretOf(invited.json.link)
    const grace = { email: 'Grace@example.org', name: '<img src=x onerror=alert(1)>' }
    assert.equal((await setUp(secret, { ...grace, email: 'eve@example.org' })).json.code, 'invalid_account')
    const made = await setUp(secret, grace)
    assert.deepEqual(
      [made.status, made.json.account.name, made.json.account.isOperator],
      [201, grace.name, false],
    )
    const { id } = made.json.account
    const reset = await dashboard.send('POST', `/server/accounts/${id}/password-reset`, session, {
      headers: EVIL,
    })
    assert.ok(reset.json.link.startsWith(`${origin}reset#`), reset.json.link)
    const password = 'another one of 1852'
    const given = { secret: secretOf(reset.json.link), password }
    assert.equal((await dashboard.send('POST', '/account/password-reset', {}, { json: given })).status, 200)
    assert.equal((await dashboard.send('GET', '/session', cookieOf(made))).status, 401)
    const again = await dashboard.send('POST', '/account/password-reset', {}, { json: given })
    assert.equal(again.json.code, 'invalid_link')
    const signedIn = await dashboard.send('POST', '/session', {}, { json: { email: grace.email, password } })
    assert.equal(signedIn.status, 200)
  })

  it('is closed to those who were not invited', async () => {
    const uninvited = { ...ADA, email: 'eve@example.org' }
    const answer = await dashboard.send('POST', '/account', {}, { json: uninvited })
    assert.deepEqual([answer.status, answer.json.code], [403, 'permission_denied'])
  })
})

describe('open sign-up', () => {
  let dashboard: Dashboard
  before(async () => {
    dashboard = await Dashboard.start({ SHEAF_OPEN_SIGNUP: 'on', SHEAF_PUBLIC_URL: 'https://db.example.org' })
  })
  after(() => dashboard.close())

  it('lets anybody make an account behind the first one, which is no operator', async () => {
    const [, secret] = /https:\/\/db\.example\.org\/_\/setup#(\S+)/.exec(dashboard.server.greeting) ?? []
    const early = await dashboard.send('POST', '/account', {}, { json: ADA })
    assert.equal(early.status, 403, early.text)
    assert.equal((await dashboard.send('POST', '/account', {}, { json: { ...ADA, secret } })).status, 201)
    const eve = { ...ADA, email: 'eve@example.org' }
    const made = await dashboard.send('POST', '/account', {}, { json: eve })
    assert.deepEqual([made.status, made.json.account.isOperator], [201, false])
    assert.equal((await dashboard.send('POST', '/account', {}, { json: eve })).json.code, 'account_exists')
  })
})
