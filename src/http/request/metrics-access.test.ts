import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { createMetricsAccess } from './metrics-access.ts'

const TOKEN = 'b2f6c8e4a1d3957f'
const metricsTokenHash = createHash('sha256').update(TOKEN).digest()

interface Asked {
  readonly from?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}

function asked({ from = '127.0.0.1', url = '/_/metrics', headers = {} }: Asked): IncomingMessage {
  const all = { host: 'localhost:8443', ...headers }
  return { socket: { remoteAddress: from }, url, headers: all } as unknown as IncomingMessage
}

describe('metrics', () => {
  const mayRead = createMetricsAccess({ trustProxy: [], metricsTokenHash })
  const mayReadByMachine = createMetricsAccess({ trustProxy: [], metricsTokenHash: undefined })

  it('are not for other machines, whatever they say', () => {
    const outside: Asked[] = [
      { from: '203.0.113.9' },
      { from: '203.0.113.9', headers: { 'x-forwarded-for': '127.0.0.1' } },
      { from: '203.0.113.9', headers: { host: '127.0.0.1' } },
      { from: '10.0.0.1' },
      { from: '::ffff:203.0.113.9' },
      { from: '' },
    ]
    for (const each of outside) assert.equal(mayRead(asked(each)), false, JSON.stringify(each))
  })

  it('are not for what came by a proxy on this machine', () => {
    for (const name of [
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded',
      'forwarded',
      'via',
      'x-real-ip',
    ])
      for (const value of ['127.0.0.1', ''])
        assert.equal(mayRead(asked({ headers: { [name]: value } })), false, name)
    const behindProxy = createMetricsAccess({ trustProxy: ['127.0.0.1/32'], metricsTokenHash })
    assert.equal(behindProxy(asked({})), false)
    assert.equal(behindProxy(asked({ from: '::ffff:127.0.0.1' })), false)
    assert.equal(behindProxy(asked({ from: '::1' })), true)
  })

  it('are not for a request on this machine for another name, as a proxy passes it on', () => {
    for (const host of [
      'db.example.org',
      'localhost.example.org',
      '127.0.0.1.example.org',
      'localhost:8443:1',
      '',
      '[::2]',
    ])
      assert.equal(mayRead(asked({ headers: { host } })), false, host)
    assert.equal(mayRead(asked({ headers: { host: undefined } })), false)
    for (const url of ['https://localhost/_/metrics', 'https://u@localhost/_/metrics'])
      assert.equal(mayRead(asked({ url })), false, url)
  })

  it('are for this machine', () => {
    for (const from of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
      for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8443', '[::1]:8443'])
        assert.equal(mayReadByMachine(asked({ from, headers: { host } })), true, `${from} ${host}`)
  })

  it('are for whoever has the token, from anywhere', () => {
    const by = (authorization: string): IncomingMessage =>
      asked({ from: '203.0.113.9', headers: { host: 'db.example.org', via: '1.1 x', authorization } })
    for (const good of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`]) assert.equal(mayRead(by(good)), true)
    for (const bad of [
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      'Bearer ',
      `Bearer x ${TOKEN}`,
    ])
      assert.equal(mayRead(by(bad)), false, bad)
    assert.equal(mayReadByMachine(by(`Bearer ${TOKEN}`)), false)
  })
})
