import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { nextRequest } from './next-request.ts'
import { startTestServer, type TestServer, textUntilEnd } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const LARGE = `{"_id":"large","text":"${'x'.repeat(240_000)}"}`

let server: TestServer
before(async () => {
  server = await startTestServer({ timeouts: { lingerMs: 1000 } })
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
      if (times % 2 === 0) await once(socket, 'readable')
      const answer = textUntilEnd(socket.resume())
      socket.write(server.written('GET', `${C}/large`, ['Connection: close']))
      const statuses = [...(await answer).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
      assert.deepEqual(
        statuses,
        Array.from({ length: 61 }, () => '200'),
      )
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
    const read = server.written('GET', '/')
    assert.deepEqual(statusesIn(await server.raw(before + read + bad)), ['200', '200', '400'])
    assert.deepEqual(statusesIn(await server.raw(`${before + read}nonsense`)), ['200', '200', '400'])
  })

  it('takes those before it no answer that is on its way yet', async () => {
    const large = server.written('GET', `${C}/large`).repeat(60)
    for (const last of ['nonsense', server.written('POST', C, ['Transfer-Encoding: chunked'], 'zz')]) {
      const socket = (await server.connect()).pause()
      const parsed = nextRequest(61)
      socket.write(`${large}${server.written('POST', C, [], '{"_id":"late"}')}${last}\r\n`)
      await parsed
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
    // Nobody is answered who has ended his side.
    assert.equal(await answer, '')
    assert.equal((await server.send('GET', `${C}/kept`)).status, 200)
    // Node's client frames no body of a DELETE by itself.
    const headers = { 'Content-Length': '8' }
    assert.equal((await server.send('DELETE', `${C}/kept`, { body: 'whatever', headers })).status, 200)
  })

  it('is refused at once, also while its token is looked at for the first time', async () => {
    const made = await server.send('POST', `/create-token/${server.keys.full}`)
    const { id_result: token } = made.json as { id_result: string }
    const head = `POST ${C} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
    const answer = await server.raw(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 .*"invalid_request"/s)
  })

  it('is refused alike wherever it stands', async () => {
    const put = server.written('PUT', `${C}/kept`, [], '{"a":1}')
    const remove = server.written('DELETE', `${C}/kept`, ['Content-Type: x; charset=latin1'], '{}')
    for (const before of [put, put + server.written('GET', '/')])
      assert.equal(statusesIn(await server.raw(`${before + remove}nonsense`)).at(-2), '400')
  })

  it('is not late for the server having held it back', async () => {
    const impatient = await startTestServer({
      timeouts: { headersMs: 300, requestMs: 500, checkMs: 50, lingerMs: 300 },
    })
    const documents = Array.from({ length: 50 }, () => LARGE.replace('"_id":"large",', ''))
    await impatient.send('POST', C, { body: `[${documents}]` })
    const socket = (await impatient.connect()).pause()
    const post = impatient.written('POST', C, [], LARGE)
    socket.write(impatient.written('GET', C) + post + impatient.written('GET', '/', ['Connection: close']))
    // Nothing happens: it is the time for a whole request, twice, in which it must not be refused.
    await wait(1000)
    assert.deepEqual(statusesIn(await textUntilEnd(socket.resume())), ['200', '201', '200'])
    await impatient.close()
  })

  it('that stands behind requests that wait has its time when it is read again, and no longer', async () => {
    const { promise, resolve: release } = Promise.withResolvers<string>()
    const store = { getDocument: () => promise }
    const timeouts = { headersMs: 300, requestMs: 500, checkMs: 50 }
    const impatient = await startTestServer({ store, timeouts })
    const [fast, slow] = [await impatient.connect(), await impatient.connect()]
    const answers = [textUntilEnd(fast), textUntilEnd(slow)]
    const ahead = impatient.written('GET', `${C}/x`) + impatient.written('GET', '/')
    const last = impatient.written('GET', '/', ['Connection: close'])
    for (const socket of [fast, slow]) socket.write(ahead + last.slice(0, 40))
    // Node has told of the late ones, and nothing was read for longer than a request may take.
    await wait(700)
    release('{}')
    fast.write(last.slice(40))
    assert.deepEqual(statusesIn(await answers[0]!), ['200', '200', '200'])
    assert.deepEqual(statusesIn(await answers[1]!), ['200', '200', '400'])
    await impatient.close()
  })

  it('is not done when it was refused as too late, be it complete after that', async () => {
    const impatient = await startTestServer({ timeouts: { headersMs: 300, checkMs: 50, lingerMs: 300 } })
    const documents = Array.from({ length: 100 }, () => LARGE.replace('"_id":"large",', ''))
    await impatient.send('POST', C, { body: `[${documents}]` })
    const socket = (await impatient.connect()).pause()
    const post = impatient.written('POST', C, [], '{"_id":"late"}')
    socket.write(impatient.written('GET', C) + post.slice(0, 40))
    // Its refusal can't be seen before the answer that is not read yet: twice the time that it has.
    await wait(600)
    await new Promise((resolve) => socket.write(post.slice(40), resolve))
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

describe('a client that has ended its side', () => {
  it('is dropped where what it asked for takes long', async () => {
    const store = { getDocument: () => new Promise<string>(() => {}) }
    const impatient = await startTestServer({ store, timeouts: { lingerMs: 100 }, limits: { shutdownMs: 0 } })
    const socket = await impatient.connect()
    const answer = textUntilEnd(socket)
    socket.end(impatient.written('GET', `${C}/x`))
    assert.equal(await answer, '')
    await impatient.close()
  })
})

describe('a request that ends the connection', () => {
  it('is the last one, also by HTTP/1.0 with an answer of unknown length', async () => {
    const piecewise = await startTestServer({ chunkLength: 100 })
    await piecewise.send('POST', C, { body: LARGE })
    const [list, post] = [
      piecewise.written('GET', C),
      piecewise.written('POST', C, [], '{"_id":"behind"}'),
    ].map((text) => text.replace('HTTP/1.1\r\n', 'HTTP/1.0\r\nConnection: keep-alive\r\n'))
    assert.deepEqual(statusesIn(await piecewise.raw(list! + post!)), ['200'])
    assert.equal((await piecewise.send('GET', `${C}/behind`)).status, 404)
    await piecewise.close()
  })

  it('is refused where it breaks off, all the same', async () => {
    const socket = await server.connect()
    const answer = textUntilEnd(socket)
    const begun = nextRequest()
    socket.write(
      server.written('POST', C, ['Transfer-Encoding: chunked', 'Connection: close'], '5\r\n{"a":\r\n'),
    )
    await begun
    socket.write('zz\r\n')
    assert.deepEqual(statusesIn(await answer), ['400'])
  })

  it('is followed by no other request, whatever is sent', async () => {
    const impatient = await startTestServer({ timeouts: { lingerMs: 300 } })
    const socket = await impatient.connect()
    // Whoever goes on when the answer has ended.
    socket.allowHalfOpen = true
    socket.on('error', () => {}).resume()
    const closed = new Promise((resolve) => socket.on('close', resolve))
    let parsed = 0
    const count = (): unknown => ++parsed
    subscribe('http.server.request.start', count)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')
    let sent = 0
    const flood = setInterval(() => {
      sent += 1000
      socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(1000))
    }, 5)
    await closed
    clearInterval(flood)
    unsubscribe('http.server.request.start', count)
    await impatient.close()
    // What was read together with the last request may have been parsed.
    assert.ok(parsed < 4000, `${parsed} of ${sent} requests were parsed`)
  })

  it('is answered for a client that reads only when it has sent all, however slowly', async () => {
    const impatient = await startTestServer({ timeouts: { lingerMs: 200 } })
    const socket = await impatient.connect()
    socket.write(`POST ${C} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`)
    for (let i = 0; i < 10; i++) {
      socket.write('1\r\na\r\n')
      // The pace of a slow client.
      await wait(60)
    }
    assert.deepEqual(statusesIn(await textUntilEnd(socket)), ['401'])
    await impatient.close()
  })

  it('is not answered out of its turn where that is CONNECT', async () => {
    const connect = 'CONNECT host:1 HTTP/1.1\r\nHost: x\r\n\r\n'
    const text = await server.raw(server.written('POST', C, [], '{}') + connect)
    assert.doesNotMatch(text, /HTTP\/1\.1 400/)
  })
})
