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
    const post = server.written('POST', C, [], '{"_id":"half"}')
    for (const [sent, expected] of [
      [post, ['201']],
      [post + server.written('GET', '/'), ['200', '200']],
      [server.written('GET', `${C}/large`) + post, ['200', '200']],
      [server.written('GET', `${C}/large`).repeat(60), Array(60).fill('200')],
    ] as const) {
      const socket = (await server.connect()).pause()
      socket.end(sent)
      await wait(30)
      assert.deepEqual(statusesIn(await textUntilEnd(socket.resume())), expected)
    }
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
    const read = server.written('GET', '/')
    assert.deepEqual(statusesIn(await server.raw(before + read + bad)), ['200', '200', '400'])
    assert.deepEqual(statusesIn(await server.raw(`${before + read}nonsense`)), ['200', '200', '400'])
  })

  it('takes those before it no answer that is on its way yet', async () => {
    const large = server.written('GET', `${C}/large`).repeat(60)
    for (const last of ['nonsense', server.written('POST', C, ['Transfer-Encoding: chunked'], 'zz')]) {
      const socket = (await server.connect()).pause()
      socket.write(`${large}${server.written('POST', C, [], '{"_id":"late"}')}${last}\r\n`)
      await wait(300)
      const statuses = statusesIn(await textUntilEnd(socket.resume()))
      assert.deepEqual(statuses.slice(0, 60), Array(60).fill('200'))
      assert.match(statuses[60]!, /^20[01]$/)
      assert.deepEqual(statuses.slice(61), ['400'])
    }
  })

  it('is not done', async () => {
    const put = server.written('PUT', `${C}/kept`, [], '{"a":1}')
    for (const remove of [
      server.written('DELETE', `${C}/kept`, ['Transfer-Encoding: chunked'], 'zz\r\n'),
      server.written('DELETE', `${C}?q={}`, ['Transfer-Encoding: chunked'], 'zz\r\n'),
      server.written('DELETE', `${C}?drop=true`, ['Transfer-Encoding: chunked'], 'zz\r\n'),
    ])
      assert.deepEqual(statusesIn(await server.raw(put + remove)).slice(1), ['400'])
    const socket = await server.connect()
    const answer = textUntilEnd(socket)
    socket.end(server.written('DELETE', `${C}/kept`, unfinished, '{'))
    assert.deepEqual(statusesIn(await answer), ['400'])
    assert.equal((await server.send('GET', `${C}/kept`)).status, 200)
    assert.equal((await server.send('DELETE', `${C}/kept`, { body: 'whatever' })).status, 200)
  })

  it('is not done when it was refused as too late, be it complete after that', async () => {
    const impatient = await startTestServer({ timeouts: { headersMs: 300 } })
    const documents = Array.from({ length: 100 }, () => LARGE.replace('"_id":"large",', ''))
    await impatient.send('POST', C, { body: `[${documents}]` })
    const socket = (await impatient.connect()).pause()
    const post = impatient.written('POST', C, [], '{"_id":"late"}')
    socket.write(impatient.written('GET', C) + post.slice(0, 40))
    // Node looks at most every so often.
    await wait(2500)
    socket.write(post.slice(40))
    await wait(100)
    assert.deepEqual(statusesIn(await textUntilEnd(socket.resume())), ['200', '400'])
    assert.equal((await impatient.send('GET', `${C}/late`)).status, 404)
    await impatient.close()
  })

  it('is told of only where it was asked for behind the last request', async () => {
    const last = server.written('GET', '/', ['Connection: close'])
    assert.deepEqual(statusesIn(await server.raw(`${last}nonsense`)), ['200'])
    assert.deepEqual(statusesIn(await server.raw(last + server.written('GET', '/'))), ['200'])
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
  it('cuts off no answer that is on its way', async () => {
    const stopping = await startTestServer()
    await stopping.send('POST', C, { body: LARGE })
    const large = stopping.written('GET', `${C}/large`)
    const post = stopping.written('POST', C, [], '{"_id":"last"}')
    const sockets = await Promise.all(
      [large.repeat(60), large.repeat(59) + post].map(async (text) => {
        const socket = (await stopping.connect()).pause()
        socket.write(text)
        return socket
      }),
    )
    await wait(300)
    const stopped = stopping.stop()
    await wait(50)
    for (const socket of sockets) {
      const text = await textUntilEnd(socket.resume())
      // As many as were begun, and each of them whole.
      const whole = text.split('HTTP/1.1 200').slice(1)
      assert.ok(whole.length > 0)
      for (const answer of whole) assert.match(answer, /x"\}$|\{"_id":"last"\}$/)
    }
    await stopped
    await stopping.close()
  })

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
