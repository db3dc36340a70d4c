import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { selfMadeCertificate } from '../../test/self-made-certificate.ts'
import { createSendWebhook, type WebhookParts } from './send-webhook.ts'
import { generateWebhookSecret } from './sign-webhook.ts'
import { webhookUrl } from './webhook-url.ts'

const NOW = 1_700_000_000_999
const MESSAGE = { secrets: [generateWebhookSecret()], id: 'msg_1_firing', body: '{"message":"é"}' }
const NEVER = new AbortController().signal

/** A web server of this machine; answers its port. */
async function served(t: TestContext, listener: RequestListener, tls?: ServerOptions): Promise<number> {
  const server = tls === undefined ? createHttp(listener) : createHttps(tls, listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function sender(parts: Partial<WebhookParts> = {}, signal = NEVER) {
  const send = createSendWebhook({ lookup: async () => ['127.0.0.1'], hosts: [], now: () => NOW, ...parts })
  return (url: string) => send({ ...MESSAGE, url }, signal)
}

describe('an address of a webhook', () => {
  it('is refused where it is none, tells a secret, or leads into the network of the server', () => {
    for (const text of [
      ...['', 'hooks.example.org', '//hooks.example.org', 'file:///etc/passwd', 'ftp://a.example.org'],
      ...['gopher://127.0.0.1:25/_EHLO', 'javascript:alert(1)', `https://a.example.org/${'a'.repeat(2000)}`],
      ...['https://user@a.example.org/', 'https://:pass@a.example.org/', 'http://a.example.org/'],
      ...['https://127.0.0.1/', 'https://127.1/', 'https://0x7f000001/', 'https://2130706433/'],
      ...['https://169.254.169.254/latest', 'https://10.0.0.1/', 'https://[::1]/', 'https://[fd00::1]/'],
      ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:a9fe:a9fe]/', 'https://[64:ff9b::7f00:1]/'],
      ...['https://0.0.0.0/', 'https://[::]/', 'https://[fe80::1]/'],
    ])
      assert.throws(() => webhookUrl(text, ['inside.example.org']), { code: 'invalid_request' }, text)
    for (const text of [
      ...['https://hooks.example.org/a?b=c', 'https://93.184.216.34:8443/', 'https://[2606:4700::1111]/'],
      ...['http://inside.example.org:9000/', 'https://INSIDE.example.org/'],
    ])
      assert.equal(webhookUrl(text, ['inside.example.org']).href, new URL(text).href)
    assert.equal(webhookUrl('http://[::1]:9000/', ['::1']).hostname, '[::1]')
  })
})

describe('a message to a webhook', () => {
  it('is not sent to a name that leads into the network of the server', async (t) => {
    const port = await served(t, () => assert.fail())
    const url = `https://hooks.example.org:${port}/`
    const inside = [
      '127.0.0.1',
      '::1',
      '10.1.2.3',
      '169.254.169.254',
      '::ffff:127.0.0.1',
      'fd00::1',
      '0.0.0.0',
    ]
    const problem =
      'hooks.example.org has no public address; name it when the server is started (--webhook-host hooks.example.org)'
    assert.equal(await sender({ lookup: async () => inside })(url), problem)
    const unknown = sender({ lookup: () => Promise.reject(new Error('ENOTFOUND')) })
    assert.equal(await unknown(url), 'hooks.example.org has no address')
  })

  it('goes to the address that was looked at, signed, by the name and its certificate', async (t) => {
    const { key, cert } = await selfMadeCertificate()
    const asked: unknown[] = []
    const port = await served(
      t,
      async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString()
        const { host, 'content-type': type } = request.headers
        asked.push([request.method, request.url, host, type, body])
        const { 'webhook-id': id, 'webhook-timestamp': timestamp } = request.headers
        const secret = Buffer.from(MESSAGE.secrets[0]!.replace('whsec_', ''), 'base64')
        const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
        assert.equal(request.headers['webhook-signature'], `v1,${signature}`)
        assert.deepEqual([id, timestamp], ['msg_1_firing', '1700000000'])
        response.writeHead(204).end()
      },
      { key, cert },
    )
    let lookups = 0
    // A name that leads elsewhere the second time is asked for once.
    const lookup = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['192.0.2.1'])
    const parts = { lookup, hosts: ['localhost'], ca: cert }
    assert.equal(await sender(parts)(`https://localhost:${port}/hook?to=a`), undefined)
    const json = 'application/json'
    assert.deepEqual(asked, [['POST', '/hook?to=a', `localhost:${port}`, json, MESSAGE.body]])
    const other = { hosts: ['other.example.org'], ca: cert }
    assert.equal(
      await sender(other)(`https://other.example.org:${port}/`),
      "other.example.org can't be reached (ERR_TLS_CERT_ALTNAME_INVALID)",
    )
    const distrusted = await sender({ hosts: ['localhost'] })(`https://localhost:${port}/`)
    assert.match(distrusted!, /^localhost can't be reached \((?:DEPTH_ZERO_)?SELF_SIGNED/)
  })

  it('is told by its status alone: no redirect is followed, and no answer is too long', async (t) => {
    const hosts = ['hooks.test']
    const cases: [listener: RequestListener, problem: string | undefined][] = [
      [(_, response) => void response.end('ok'), undefined],
      [(_, response) => void response.writeHead(202).end(), undefined],
      [(_, response) => void response.write('never ends'), undefined],
      [(_, response) => void response.write('x'.repeat(1_000_000)), undefined],
      [
        (_, response) => void response.writeHead(302, { Location: 'http://127.0.0.1/' }).end(),
        'hooks.test answered with the status 302',
      ],
      [(_, response) => void response.writeHead(500).end(), 'hooks.test answered with the status 500'],
      [(request) => request.socket.destroy(), "hooks.test can't be reached (ECONNRESET)"],
      [
        (request) => request.socket.end('no HTTP\r\n\r\n'),
        "hooks.test can't be reached (HPE_INVALID_CONSTANT)",
      ],
    ]
    for (const [listener, problem] of cases) {
      const port = await served(t, listener)
      assert.equal(await sender({ hosts })(`http://hooks.test:${port}/`), problem)
    }
  })

  it('is given up when the server stops', async (t) => {
    const stopping = new AbortController()
    const port = await served(t, () => stopping.abort())
    const problem = await sender({ hosts: ['hooks.test'] }, stopping.signal)(`http://hooks.test:${port}/`)
    assert.match(problem!, /^hooks\.test can't be reached/)
  })

  it('is given up when the server stops while no name server answers', async () => {
    const stopping = new AbortController()
    const send = sender({ lookup: () => new Promise(() => {}) }, stopping.signal)
    const sending = send('https://hooks.example.org/')
    stopping.abort()
    assert.equal(await sending, 'hooks.example.org has no address')
  })

  it('is not sent by http to a host that the server is not started with any more, nor to its address', async () => {
    const send = sender({ lookup: async () => ['93.184.216.34'] })
    const problem = 'is told by https:// alone; name it when the server is started (--webhook-host'
    for (const host of ['hooks.example.org', '93.184.216.34'])
      assert.equal(await send(`http://${host}/`), `${host} ${problem} ${host})`)
    const inside = sender({ lookup: () => assert.fail('an address is no name') })
    assert.match((await inside('https://127.0.0.1/'))!, /^127\.0\.0\.1 has no public address/)
  })
})
