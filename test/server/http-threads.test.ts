import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { generateKeyPem, selfSignedCertificate } from '../../src/certificates/self-signed.ts'
import { failure, json, runSheaf, temporaryFolder } from '../cli/run-sheaf.ts'
import { clientsByThread, closeAll, threadOf } from './by-thread.ts'
import type { Answer, Client } from './client.ts'
import { eventuallyEqual, NOTICE_MS } from './eventually-equal.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const TWO = { SHEAF_HTTP_THREADS: '2' }
const C = '/apps/demo/collections/c'

let server: ServerProcess
let byThread: readonly (readonly Client[])[]
let one: Client
let other: Client
before(async () => {
  server = await startServer({ env: TWO })
  byThread = await clientsByThread(server, { threads: 2, each: 8 })
  one = byThread[0]![0]!
  other = byThread[1]![0]!
})
after(async () => {
  closeAll(byThread)
  assert.equal(server.log, '')
  await server.dispose()
})

function newKey(...args: readonly string[]): Promise<string> {
  return json(['key', 'create', '--data', server.folder, ...args]).then(
    (made) => (made as { key: string }).key,
  )
}

function withKey(client: Client, key: string): Promise<Answer> {
  return client.send('GET', '/', { headers: { 'X-Service-API-Key': key } })
}

function becomes(client: Client, key: string, expected: number): Promise<void> {
  return eventuallyEqual(async () => (await withKey(client, key)).status, expected)
}

describe('two threads', () => {
  it('serve one port', async () => {
    assert.notEqual(threadOf(await one.send('GET', '/')), threadOf(await other.send('GET', '/')))
  })

  it('slow down an address that tries credentials, whichever of them it asks', async () => {
    const began = performance.now()
    const statuses: number[] = []
    for (let n = 0; n < 12; n++)
      statuses.push((await withKey(n % 2 === 0 ? one : other, `shf_${'0'.repeat(40)}`)).status)
    assert.ok(performance.now() - began < 1000, 'the machine is too slow for this test')
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
    assert.equal((await other.send('GET', '/')).status, 200)
  })

  it('let one conditional write win, whichever of them it came by', async () => {
    const clients = byThread.flat()
    const path = '/apps/demo/collections/races/x'
    let { etag } = (await one.send('PUT', path, { body: '{"n":0}' })).headers
    for (let round = 1; round <= 10; round++) {
      const headers = { 'If-Match': String(etag) }
      const answers = await Promise.all(
        clients.map((client, by) => client.send('PUT', path, { headers, body: `{"n":${round},"by":${by}}` })),
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.equal(won.length, 1)
      etag = won[0]!.headers.etag
      for (const { status, headers: told } of answers.filter((answer) => answer !== won[0]))
        assert.deepEqual([status, told.etag], [412, etag])
    }
  })

  it('let each read what the other wrote, at once', async () => {
    for (let n = 0; n < 100; n++) {
      const [writer, reader] = n % 2 === 0 ? [one, other] : [other, one]
      const text = `{"_id":"x","n":${n}}`
      assert.equal((await writer.send('PUT', `${C}/x`, { body: `{"n":${n}}` })).text, text)
      assert.equal((await reader.send('GET', `${C}/x`)).text, text)
      assert.equal((await reader.send('GET', `${C}?q={"n":${n}}`)).text, `[${text}]`)
      assert.equal((await reader.send('GET', `${C}?c=true&q={"_id":"x","n":${n}}`)).text, '1')
    }
    await one.send('DELETE', `${C}/x`)
    assert.equal((await other.send('GET', `${C}/x`)).status, 404)
  })

  it('keep what they answer, until either of them is written to', async () => {
    const list = `${C}?q={"kept":{"$gte":0}}`
    for (let n = 0; n < 100; n++) {
      const [writer, reader] = n % 2 === 0 ? [one, other] : [other, one]
      const text = `{"_id":"k","kept":${n}}`
      assert.equal((await writer.send('PUT', `${C}/k`, { body: `{"kept":${n}}` })).text, text)
      // A list is kept when it was asked for twice, and comes from memory the third time.
      for (const client of [reader, reader, reader, writer, writer, writer]) {
        assert.equal((await client.send('GET', `${C}/k`)).text, text)
        assert.equal((await client.send('GET', list)).text, `[${text}]`)
        assert.equal((await client.send('GET', `${list}&c=true`)).text, '1')
      }
    }
    await one.send('DELETE', `${C}/k`)
    assert.equal((await other.send('GET', `${C}/k`)).status, 404)
    assert.equal((await other.send('GET', list)).text, '[]')
  })

  it('count every one of a hundred increments', async () => {
    const clients = byThread.flat()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        clients[n % clients.length]!.send('PUT', `${C}/counter`, { body: '{"$inc":{"n":1}}' }),
      ),
    )
    const counts = answers.map(({ text }) => (JSON.parse(text) as { n: number }).n)
    assert.deepEqual(
      counts.sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, n) => n + 1),
    )
    assert.equal((await other.send('GET', `${C}/counter`)).text, '{"_id":"counter","n":100}')
  })

  it('know a new key within a second, and know no more of one that is revoked', async () => {
    const key = await newKey('--name', 'passing')
    await Promise.all([one, other].map((client) => becomes(client, key, 200)))
    await runSheaf(['key', 'revoke', 'passing', '--data', server.folder])
    const end = performance.now() + NOTICE_MS
    const statusOf = async (client: Client): Promise<number> => (await withKey(client, key)).status
    for (const client of [one, other])
      while ((await statusOf(client)) === 200)
        assert.ok(performance.now() < end, 'it is known after a second')
  })

  it('hold a key to one rate', async () => {
    const key = await newKey('--name', 'slow', '--rate', '30/min', '--address', '192.0.2.1')
    // From a wrong place, so that nothing of the rate is used.
    for (const client of [one, other]) await becomes(client, key, 403)
    const began = performance.now()
    await runSheaf(['key', 'update', 'slow', '--all-addresses', '--data', server.folder])
    const statuses: number[] = []
    const send = async (client: Client): Promise<void> => {
      statuses.push((await withKey(client, key)).status)
    }
    while (!statuses.includes(200)) await send(one)
    const clients = byThread.flat()
    // Those of a thread that has not heard yet are refused for their place.
    while (!statuses.includes(429)) await Promise.all(clients.map(send))
    for (const client of [one, other]) await becomes(client, key, 429)
    const regained = Math.floor((performance.now() - began) / 2000)
    const taken = statuses.filter((status) => status === 200).length
    assert.ok(taken >= 30 && taken <= 30 + regained, `${taken} were let in, ${regained} regained`)
  })

  it('serve a certificate that is replaced, both of them', async (t) => {
    const server = await startServer({ env: { ...TWO, SHEAF_LOG_LEVEL: 'info' } })
    t.after(() => server.dispose())
    const key = generateKeyPem()
    const cert = await selfSignedCertificate({
      key: createPrivateKey(key),
      hostName: 'localhost',
      now: Date.now(),
    })
    const { fingerprint256 } = new X509Certificate(cert)
    writeFileSync(join(server.folder, 'tls', 'key.pem'), key)
    writeFileSync(join(server.folder, 'tls', 'cert.pem'), cert)
    await server.logged('the TLS certificate was replaced')
    const end = performance.now() + NOTICE_MS
    // By chance all of so many go to one thread once in a million times.
    for (let row = 0; row < 20; ) {
      assert.ok(performance.now() < end, 'the certificate is not served')
      const socket = connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      row = socket.getPeerX509Certificate()!.fingerprint256 === fingerprint256 ? row + 1 : 0
      socket.destroy()
    }
  })

  it('refuse a second server on their port', async (t) => {
    const args = ['serve', '--data', join(temporaryFolder(t), 'data'), '--port', String(server.port)]
    for (const host of ['127.0.0.1', 'localhost'])
      for (const threads of ['1', '2'])
        assert.match(
          await failure([...args, '--host', host, '--http-threads', threads]),
          /can't listen on port \d+: another program uses it/,
        )
  })
})

describe('the log of two threads', () => {
  it('has a whole line for each request', async (t) => {
    const logging = await startServer({ env: { ...TWO, SHEAF_LOG_LEVEL: 'info' } })
    t.after(() => logging.dispose())
    const clients = await clientsByThread(logging, { threads: 2, each: 4 })
    const marked = clients.flat().map(async (client, index) => {
      for (let n = 0; n < 100; n++)
        await client.send('GET', C, { headers: { 'X-Request-Id': `mine-${index}-${n}` } })
    })
    await Promise.all(marked)
    closeAll(clients)
    await logging.stop()
    const lines = logging.log.split('\n')
    assert.equal(lines.pop(), '')
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id)
    assert.equal(new Set(ids.filter((id) => id.startsWith('mine-'))).size, 800)
    assert.equal(ids.filter((id) => id.startsWith('mine-')).length, 800)
  })
})
