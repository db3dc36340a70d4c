import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestServer, type TestServer, textUntilEnd } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const LARGE = `{"_id":"large","text":"${'x'.repeat(240_000)}"}`

let server: TestServer
before(async () => {
  server = await startTestServer({ timeouts: { lingerMs: 2000 } })
  await server.send('POST', C, { body: LARGE })
})
after(async () => {
  assert.deepEqual(server.faults, [])
  await server.close()
})

/** A request's text with the key of a server; the body's length is declared unless headers say otherwise. */
function written(method: string, path: string, headers: readonly string[] = [], body = ''): string {
  const all = ['Host: localhost', `X-Service-API-Key: ${server.keys.full}`, ...headers]
  const isFramed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header))
  if (body !== '' && !isFramed) all.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}

describe('a client', () => {
  it('that sends ahead and reads late gets every answer', async () => {
    for (let times = 0; times < 12; times++) {
      const socket = await server.connect()
      socket.pause()
      // Each in a TLS record of its own, of which the server reads several at once.
      for (let n = 0; n < 60; n++)
        await new Promise((resolve) => socket.write(written('GET', `${C}/large`), resolve))
      if (times % 2 === 0) await wait(30)
      const answer = textUntilEnd(socket.resume())
      socket.write(written('GET', `${C}/large`, ['Connection: close']))
      const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      assert.deepEqual(
        statuses,
        Array.from({ length: 61 }, () => '200'),
      )
    }
  })

  it('that has said all it wants to is answered', async () => {
    const socket = await server.connect()
    const answer = textUntilEnd(socket)
    socket.end(written('POST', C, [], '{"_id":"half"}'))
    assert.match(await answer, /^HTTP\/1\.1 201 .*\{"_id":"half"\}$/s)
  })
})

describe('time that runs out', () => {
  it('ends a connection without a word where nothing was asked, or all was answered', async () => {
    const impatient = await startTestServer({
      timeouts: { headersMs: 300, requestMs: 600, bodyLookMs: 100_000 },
    })
    const silent = await impatient.connect()
    const answered = await impatient.connect()
    const begun = await impatient.connect()
    const texts = [silent, answered, begun].map(textUntilEnd)
    answered.write(`POST ${C} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{`)
    begun.write('GET / HTTP/1.1\r\nHost: lo')
    const [ofSilent, ofAnswered, ofBegun] = await Promise.all(texts)
    assert.equal(ofSilent, '')
    assert.match(ofAnswered!, /^HTTP\/1\.1 401 .*"missing_credentials".*\}$/s)
    assert.equal(ofAnswered!.split('HTTP/1.1').length, 2)
    assert.match(ofBegun!, /^HTTP\/1\.1 400 .*too long to arrive/s)
    await impatient.close()
  })

  it('ends one that is slow with the rest of what was answered', async () => {
    const impatient = await startTestServer({ timeouts: { bodyLookMs: 200 } })
    const socket = await impatient.connect()
    const text = textUntilEnd(socket)
    socket.write(`POST ${C} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{`)
    assert.equal((await text).split('HTTP/1.1').length, 2)
    await impatient.close()
  })
})

describe('a server that stops', () => {
  it('waits for nobody whose handshake is not done', async () => {
    const stopping = await startTestServer()
    const hello = Buffer.from([22, 3, 1, 0, 200, 1])
    const sockets = [undefined, hello, Buffer.from([22])].map((bytes) => {
      const socket = connectTcp(stopping.port, '127.0.0.1')
      socket.on('error', () => {}).resume()
      if (bytes !== undefined) socket.write(bytes)
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const began = performance.now()
    await stopping.close()
    assert.ok(performance.now() - began < 5000)
  })
})
