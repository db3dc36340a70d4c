import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { nextRequest } from './next-request.ts'
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  textUntilEnd,
} from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const BODY = 'Content-Length: 100000'

async function serverWith(t: TestContext, options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer(options)
  t.after(() => server.close())
  return server
}

function written(server: TestServer, method: string, headers: readonly string[] = [], body = ''): string {
  const all = ['Host: localhost', `X-Service-API-Key: ${server.keys.full}`, ...headers]
  return `${method} ${C} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}

function tcp(server: TestServer): Socket {
  return connectTcp(server.port, '127.0.0.1').on('error', () => {})
}

describe('connections', () => {
  for (const limit of ['openConnections', 'addressConnections'] as const)
    it(`over ${limit} are dropped before the handshake, and have a place when others close`, async (t) => {
      const server = await serverWith(t, { limits: { [limit]: 3 } })
      const open = [tcp(server), tcp(server), tcp(server)]
      await Promise.all(open.map((socket) => once(socket, 'connect')))
      const refused = tcp(server)
      assert.equal(await textUntilEnd(refused.resume()), '')
      for (const socket of open) assert.equal(socket.readyState, 'open')
      const closed = Promise.all(open.map((socket) => once(socket, 'close')))
      for (const socket of open) socket.destroy()
      await closed
      assert.equal((await server.send('GET', '/')).status, 200)
    })

  it('whose handshake trickles end when its time is over', async (t) => {
    const server = await serverWith(t, { timeouts: { handshakeMs: 400 } })
    const socket = tcp(server)
    // A record that announces 512 bytes, which then come one by one.
    socket.write(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1]))
    const trickle = setInterval(() => socket.write('\0'), 50)
    t.after(() => clearInterval(trickle))
    const began = performance.now()
    // What is written meanwhile may be answered with a reset, which is an end as well.
    await new Promise((resolve) => socket.resume().on('close', resolve))
    assert.ok(performance.now() - began < 3000)
    assert.equal((await server.send('GET', '/')).status, 200)
  })

  it('that trickle headers end when their time is over', async (t) => {
    const server = await serverWith(t, { timeouts: { headersMs: 500, checkMs: 50 } })
    const socket = await server.connect()
    socket.write('GET / HTTP/1.1\r\n')
    const trickle = setInterval(() => socket.write('a: b\r\n'), 50)
    assert.match(await textUntilEnd(socket), /^HTTP\/1\.1 400 .*too long to arrive/s)
    clearInterval(trickle)
  })
})

describe('bodies', () => {
  it('that come too slowly are given up, and the client reads why', async (t) => {
    const server = await serverWith(t, { timeouts: { bodyRateCheckMs: 200, lingerMs: 200 } })
    const socket = await server.connect()
    socket.write(written(server, 'POST', [BODY], '{"a":"'))
    const trickle = setInterval(() => socket.write('x'), 50)
    const answer = await textUntilEnd(socket)
    clearInterval(trickle)
    assert.match(answer, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n.*"invalid_request".*too slowly/s)
  })

  it('over the memory for all of them are told to come again, and small ones are let in', async (t) => {
    const mib = 1024 * 1024
    const server = await serverWith(t, { limits: { bodyBytes: 3 * mib, heldBodyBytes: 4 * mib } })
    const held = await server.connect()
    const begun = nextRequest()
    held.write(written(server, 'POST', [`Content-Length: ${3 * mib}`], 'x'.repeat(2 * mib)))
    const { socket } = await begun
    while (socket.bytesRead < 2 * mib) await turn()
    const large = await server.send('POST', C, { body: ' '.repeat(2 * mib) })
    assert.deepEqual([large.status, large.headers['retry-after']], [503, '1'])
    assert.equal((large.json as { code: string }).code, 'overloaded')
    assert.equal((await server.send('POST', C, { body: '{"a":1}' })).status, 201)
    held.destroy()
    await once(socket, 'close')
    const { status } = await server.send('POST', C, { body: `{"a":1}${' '.repeat(2 * mib)}` })
    assert.equal(status, 201)
  })

  it('in the smallest chunks take no more memory than they have bytes', async (t) => {
    const server = await serverWith(t, {})
    const socket = await server.connect()
    const answer = textUntilEnd(socket)
    const chunks = '1\r\n \r\n'.repeat(100_000)
    socket.write(written(server, 'POST', ['Transfer-Encoding: chunked', 'Connection: close']))
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 5; i++) {
      if (!socket.write(chunks)) await once(socket, 'drain')
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024)
    socket.write('7\r\n{"a":1}\r\n0\r\n\r\n')
    assert.match(await answer, /^HTTP\/1\.1 201 /)
  })
})

describe('answers that a client asks for ahead and does not take', () => {
  const text = `{"text":"${'x'.repeat(100_000)}"}`
  const stores = { 'from the disk': async () => text, 'from memory': () => text }
  for (const [where, read] of Object.entries(stores))
    it(`are not made, be each of them small, ${where}`, async (t) => {
      let made = 0
      const { promise: allMade, resolve } = Promise.withResolvers<void>()
      const getDocument = (): string | Promise<string> => {
        made++
        if (made === 500) resolve()
        return read()
      }
      const server = await serverWith(t, { store: { getDocument } })
      const socket = await server.connect()
      socket.pause()
      socket.write(written(server, 'GET').replace(C, `${C}/x`).repeat(500))
      let before = -1
      while (made === 0 || made > before) {
        before = made
        // Until nothing happens: a tenth of a second is enough for all of them, where they are made.
        await wait(300)
      }
      assert.ok(made < 100, `${made} answers were made`)
      const answer = once(socket.resume(), 'close')
      await allMade
      socket.destroy()
      await answer
    })
})

describe('more open requests than are allowed', () => {
  it('are told to come again, and it is over when the others are answered', async (t) => {
    const waiting: ((text: string) => void)[] = []
    const { promise: twoWait, resolve: onTwo } = Promise.withResolvers<void>()
    const getDocument = (): Promise<string> =>
      new Promise((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 2) onTwo()
      })
    const server = await serverWith(t, {
      limits: { openRequests: 2 },
      store: { getDocument },
    })
    const open = [1, 2].map(() => server.send('GET', `${C}/x`))
    await twoWait
    const refused = await server.send('GET', '/')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
    assert.equal((refused.json as { code: string }).code, 'overloaded')
    for (const resolve of waiting) resolve('{}')
    for (const answer of await Promise.all(open)) assert.equal(answer.status, 200)
    assert.equal((await server.send('GET', '/')).status, 200)
  })
})

describe('the id of a request', () => {
  it('is the client’s where that is sane, else a new one, on every answer', async (t) => {
    const server = await serverWith(t, {})
    const idOf = async (given?: string, path = '/'): Promise<unknown> =>
      (await server.send('GET', path, { headers: { 'X-Request-Id': given } })).headers['x-request-id']
    assert.equal(await idOf('aZ09._-'), 'aZ09._-')
    assert.equal(await idOf('x'.repeat(128), '/nowhere'), 'x'.repeat(128))
    const made = new Set<unknown>()
    for (const given of [undefined, '', 'a b', 'a"b', 'é', 'x'.repeat(129), server.keys.full, 'a,b'])
      made.add(await idOf(given))
    assert.equal(made.size, 8)
    for (const id of made) assert.match(String(id), /^[0-9a-f]{12}-[0-9a-z]+$/)
    assert.match(await server.raw('nonsense\r\n\r\n'), /\r\nX-Request-Id: [0-9a-f]{12}-[0-9a-z]+\r\n/)
  })

  it('is in the line of the log, with what else there is to know', async (t) => {
    const lines: string[] = []
    const server = await serverWith(t, { lines })
    await server.send('GET', `${C}?c=true`, { headers: { 'X-Request-Id': 'mine' } })
    const { ms, time, ...line } = JSON.parse(lines.at(-1)!)
    assert.ok(ms >= 0 && Date.parse(time) > 0)
    assert.deepEqual(line, {
      level: 'info',
      id: 'mine',
      method: 'GET',
      path: `${C}?[redacted]`,
      status: 200,
      bytes: 1,
      key: 'full',
      address: '127.0.0.1',
      msg: 'request',
    })
  })
})
