import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
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

describe('a client', () => {
  it('that sends ahead and reads late gets every answer', async () => {
    for (let times = 0; times < 12; times++) {
      const socket = await server.connect()
      socket.pause()
      // Each in a TLS record of its own, of which the server reads several at once.
      for (let n = 0; n < 60; n++)
        await new Promise((resolve) => socket.write(server.written('GET', `${C}/large`), resolve))
      if (times % 2 === 0) await wait(30)
      const answer = textUntilEnd(socket.resume())
      socket.write(server.written('GET', `${C}/large`, ['Connection: close']))
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
    socket.end(server.written('POST', C, [], '{"_id":"half"}'))
    assert.match(await answer, /^HTTP\/1\.1 201 .*\{"_id":"half"\}$/s)
  })
})

/** The statuses of everything that comes back until the connection ends. */
function statusesIn(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!)
}

describe('a request that is cut off or malformed', () => {
  const unfinished = ['Content-Length: 100']

  it('takes those before it no answer', async () => {
    const bad = server.written('POST', C, ['Transfer-Encoding: chunked'], 'zz\r\n')
    const before = server.written('POST', C, [], '{"_id":"before"}')
    assert.deepEqual(statusesIn(await server.raw(before + bad)), ['201', '400'])
    const socket = await server.connect()
    const answer = textUntilEnd(socket)
    socket.end(before + before + server.written('POST', C, unfinished, '{'))
    assert.deepEqual(statusesIn(await answer), ['200', '200', '400'])
  })

  it('gets one answer', async () => {
    for (const request of [
      server.written('GET', '/', unfinished, '{'),
      `POST ${C} HTTP/1.1\r\nHost: localhost\r\n${unfinished}\r\n\r\n{`,
    ]) {
      const socket = await server.connect()
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
        // Only now that it is answered.
        socket.end()
      })
      socket.write(request)
      await once(socket, 'close')
      assert.equal(statusesIn(text).length, 1, text)
    }
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

  it('ends no other connection of the same port, to another address of the server', async (t) => {
    if (process.platform !== 'linux') return t.skip('this system has one address for the machine itself')
    const impatient = await startTestServer({ host: '0.0.0.0', timeouts: { handshakeMs: 300 } })
    const { port } = impatient
    const tcp = connectTcp({ port, host: '127.0.0.2', localAddress: '127.0.0.1' })
    await once(tcp, 'connect')
    const localPort = tcp.localPort!
    const slow = connectTcp({ port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort })
    await once(slow, 'connect')
    const good = connectTls({ socket: tcp, rejectUnauthorized: false })
    await once(good, 'secureConnect')
    await once(slow.resume(), 'close')
    await wait(300)
    const answer = textUntilEnd(good)
    good.write(impatient.written('GET', '/', ['Connection: close']))
    assert.match(await answer, /^HTTP\/1\.1 200 OK/)
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
