import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bodyOf, TestMailServer } from '../../test/mail-server.ts'
import { selfMadeCertificate } from '../../test/self-made-certificate.ts'
import type { MailServer } from '../domain/mail.ts'
import { createMailSender } from './send-mail.ts'

const MAIL = { to: 'ada@example.org', subject: 'A link', text: 'https://db.example.org/_/reset#abc\n' }
const FROM = 'sheaf@example.org'

describe('a message', () => {
  let plain: TestMailServer
  before(async () => {
    plain = await TestMailServer.start()
  })
  after(() => plain.close())

  function sender(port: number, more: Partial<MailServer> = {}) {
    return createMailSender({ host: '127.0.0.1', port, security: 'none', from: FROM, ...more })
  }

  it('arrives as text alone, from the address that was given, and says that no person wrote it', async () => {
    const long = `${'ä'.repeat(200)}\n.\nQUIT\n${'x'.repeat(2000)}\n`
    await sender(plain.port)({ ...MAIL, subject: 'Ünd', text: long })
    const { from, to, source } = await plain.next()
    assert.deepEqual([from, to], [FROM, ['ada@example.org']])
    assert.match(source, /^From: Sheaf <sheaf@example\.org>\r$/m)
    assert.match(source, /^To: ada@example\.org\r$/m)
    assert.match(source, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(source, /^Content-Type: text\/plain; charset=utf-8\r$/m)
    assert.match(source, /^Subject: =\?UTF-8\?/m)
    assert.doesNotMatch(source, /html/i)
  })

  it('goes to one recipient, and adds no header, whatever stands in the address', async () => {
    const send = sender(plain.port)
    const odd = ["o'hara+a/b@example.org", 'ada@bücher.example']
    const sent: unknown[] = []
    for (const to of odd) {
      await send({ ...MAIL, to })
      const received = await plain.next()
      sent.push(received.to)
      assert.equal(bodyOf(received).trimEnd(), MAIL.text.trimEnd(), to)
    }
    assert.deepEqual(
      sent,
      odd.map((to) => [to]),
    )
    await send({ ...MAIL, subject: 'A\r\nBcc: eve@example.org' })
    const { source, to } = await plain.next()
    assert.deepEqual(to, [MAIL.to])
    assert.doesNotMatch(source, /^Bcc:/im)
    const before = plain.received.length
    const none = ['a@example.org>\r\nRCPT TO:<eve@example.org', 'a>b@example.org', 'a<b@example.org']
    const others = ['ada@example.org>', '<ada@example.org', 'a,b@example.org', '"Ada"@example.org']
    for (const to of [...none, ...others])
      await assert.rejects(send({ ...MAIL, to }), { code: 'mail_refused' }, to)
    assert.equal(plain.received.length, before)
  })

  it('that is refused for good is told from one that may be sent later, without its address', async () => {
    const refusals = [
      { code: 550, message: `5.1.1 <${MAIL.to}> is unknown` },
      { code: 451, message: `4.3.0 <${MAIL.to}> later` },
    ]
    const server = await TestMailServer.start({ refusal: (before) => refusals[before] })
    const send = sender(server.port)
    const failures: string[] = []
    for (const _ of refusals)
      await send(MAIL).catch(({ code, message }) => {
        failures.push(code)
        assert.doesNotMatch(message, /ada/)
      })
    await server.close()
    await send(MAIL).catch(({ code }) => failures.push(code))
    assert.deepEqual(failures, ['mail_refused', 'mail_failed', 'mail_failed'])
  })

  it('is not sent where TLS was asked for and is not to be had, or the server is not known', async () => {
    const { key, cert } = await selfMadeCertificate()
    const server = await TestMailServer.start({ tls: { key, cert } })
    const login = { user: 'sheaf', password: 'secret' }
    await assert.rejects(sender(plain.port, { security: 'starttls', ...login })(MAIL), {
      code: 'mail_refused',
    })
    await assert.rejects(sender(server.port, { security: 'tls', ...login })(MAIL), { code: 'mail_failed' })
    assert.equal(server.received.length, 0)
    assert.equal(plain.logins, 0)
    await server.close()
  })

  it('is sent with a login, and refused with a wrong one', async () => {
    const login = { user: 'sheaf', password: 'a:b@c/%' }
    const server = await TestMailServer.start({ login })
    await sender(server.port, login)(MAIL)
    assert.equal(server.received.length, 1)
    await assert.rejects(sender(server.port, { ...login, password: 'x' })(MAIL), { code: 'mail_refused' })
    await server.close()
  })
})
