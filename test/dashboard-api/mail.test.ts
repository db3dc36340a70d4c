import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bodyOf, TestMailServer } from '../mail-server.ts'
import { selfMadeCertificate } from '../self-made-certificate.ts'
import { Dashboard, PASSWORD } from './start-dashboard.ts'

const ORIGIN = 'https://db.example.org'
const LOGIN = { user: 'sheaf@example.org', password: 'a:b/c' }

describe('mail', () => {
  let dashboard: Dashboard
  let mail: TestMailServer
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sheaf-mail-'))
    const { key, cert } = await selfMadeCertificate()
    mail = await TestMailServer.start({ tls: { key, cert }, login: LOGIN })
    writeFileSync(join(folder, 'ca.pem'), cert)
    const user = `${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.password)}`
    writeFileSync(join(folder, 'smtp-url'), `smtps://${user}@localhost:${mail.port}\n`)
    dashboard = await Dashboard.start({
      ...{ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), SHEAF_SMTP_URL_FILE: join(folder, 'smtp-url') },
      ...{ SHEAF_MAIL_FROM: 'sheaf@example.org', SHEAF_PUBLIC_URL: ORIGIN },
    })
  })
  after(async () => {
    await dashboard.close()
    await mail.close()
    rmSync(folder, { recursive: true })
  })

  const ask = (email: string) => dashboard.send('POST', '/password-reset-requests', {}, { json: { email } })
  /** What stands behind `#` in the link of a message. */
  const secretOf = (body: string): string =>
    /^https:\/\/db\.example\.org\/_\/\w+#([\w-]{43})$/m.exec(body)![1]!

  it('has a link to another password, once in five minutes, and the same answer to everybody', async () => {
    await dashboard.account('ada@example.org')
    const answers = []
    for (const email of ['nobody@example.org', 'no address', 'ADA@example.org', 'ada@example.org'])
      answers.push(await ask(email))
    const message = 'if there is such an account, a link is on its way to that address'
    for (const { status, json } of answers) assert.deepEqual([status, json], [202, { message }])
    const sent = await mail.next()
    assert.deepEqual([sent.to, sent.isEncrypted], [['ada@example.org'], true])
    const body = bodyOf(sent)
    assert.match(body, /the account ada@example\.org at https:\/\/db\.example\.org, from 127\.0\.0\.1\./)
    const secret = secretOf(body)
    const link = await dashboard.send('POST', '/link', {}, { json: { secret } })
    assert.deepEqual([link.json.purpose, link.json.email], ['reset', 'ada@example.org'])
    const [line] = await dashboard.accounts.listAudit({ limit: 1 })
    assert.deepEqual([line?.action, line?.actor, line?.address], ['link.create', 'anybody', '127.0.0.1'])
    const lifeMs = Date.parse(link.json.until) - Date.now()
    assert.ok(lifeMs > 59 * 60_000 && lifeMs <= 60 * 60_000)
    const password = 'looms and jacquard 1804'
    const reset = await dashboard.send('POST', '/account/password-reset', {}, { json: { secret, password } })
    assert.deepEqual(reset.json, { email: 'ada@example.org' })
    const notice = await mail.next()
    assert.match(notice.source, /^Subject: Your account at db\.example\.org was changed\r$/m)
    assert.match(bodyOf(notice), /^The password of your account was changed\.\n/)
    assert.deepEqual(notice.to, ['ada@example.org'])
    // Neither the one who was asked for twice nor the ones who have no account got a message between.
    assert.equal(mail.received.length, 2)
  })

  it('tells the address that an account had when it gets another, and of a password that is changed', async () => {
    const account = await dashboard.account('bob@example.org')
    const session = await dashboard.session(account)
    const change = async (method: string, path: string, json: object) => {
      const answer = await dashboard.send(method, path, session, { json })
      assert.ok(answer.status < 300, answer.text)
      return mail.next()
    }
    const told = [
      await change('PATCH', '/account', { email: 'robert@example.org' }),
      await change('PUT', '/account/password', { current: PASSWORD, password: 'looms and jacquard 1804' }),
    ]
    assert.deepEqual(
      told.map((each) => [each.to[0], bodyOf(each).split('\n')[0]]),
      [
        ['bob@example.org', 'The e-mail address of your account was changed: this one is no longer its.'],
        ['robert@example.org', 'The password of your account was changed.'],
      ],
    )
    assert.equal((await dashboard.send('PATCH', '/account', session, { json: { name: 'Bob' } })).status, 200)
    const totp = { account: account.id, secret: Buffer.from('A'.repeat(32)), step: 1, recoveryHashes: [] }
    await dashboard.accounts.enableTotp(totp, 'test')
    const again = await dashboard.session(account)
    await dashboard.send('POST', '/account/recovery-codes', again, { json: {} })
    assert.match(bodyOf(await mail.next()), /^The recovery codes of your account were made anew\./)
  })

  it('has invitations that are sent, and a message by which an operator tries it', async () => {
    const operator = await dashboard.session(await dashboard.account('op@example.org', { isOperator: true }))
    const invite = (json: object) => dashboard.send('POST', '/server/invitations', operator, { json })
    assert.equal((await invite({ send: true })).json.code, 'invalid_account')
    const made = await invite({ email: 'eve@example.org', send: true })
    const body = bodyOf(await mail.next())
    assert.ok(body.includes(`\n${made.json.link}\n`), body)
    const link = await dashboard.send('POST', '/link', {}, { json: { secret: secretOf(body) } })
    assert.deepEqual([link.json.purpose, link.json.email], ['invite', 'eve@example.org'])
    const tried = await dashboard.send('POST', '/server/test-mail', operator, { json: {} })
    assert.deepEqual([tried.status, tried.json], [200, { email: 'op@example.org' }])
    assert.deepEqual((await mail.next()).to, ['op@example.org'])
    const { json: server } = await dashboard.send('GET', '/server', operator)
    assert.deepEqual(server.mail, {
      ...{ host: 'localhost', port: mail.port, security: 'tls', from: 'sheaf@example.org' },
    })
    assert.equal((await dashboard.send('GET', '/ways-in')).json.mail, true)
  })

  it('lets a network ask for 20 links in ten minutes', async () => {
    dashboard.from('127.0.0.3')
    for (let each = 0; each < 20; each++) assert.equal((await ask(`n${each}@example.org`)).status, 202)
    const refused = await ask('ada@example.org')
    assert.deepEqual([refused.status, refused.json.code], [429, 'too_many_failures'])
    assert.ok(Number(refused.headers['retry-after']) > 0)
    dashboard.from('127.0.0.1')
  })

  it('that fails keeps nobody from anything, and has no address in the log', async () => {
    const operator = await dashboard.session(await dashboard.account('op2@example.org', { isOperator: true }))
    await mail.close()
    const tried = await dashboard.send('POST', '/server/test-mail', operator, { json: {} })
    assert.deepEqual([tried.status, tried.json.code], [502, 'mail_failed'])
    await dashboard.account('carl@example.org')
    assert.equal((await ask('carl@example.org')).status, 202)
    assert.equal((await dashboard.send('GET', '/session', operator)).status, 200)
    assert.doesNotMatch(dashboard.server.log, /example\.org/)
  })
})
