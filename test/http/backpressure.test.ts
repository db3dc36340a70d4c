import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestServer, type TestServer } from './start-test-server.ts'

const C = '/apps/demo/collections/things'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => {
  assert.deepEqual(server.faults, [])
  await server.close()
})

describe('requests sent ahead', () => {
  it('are answered in order, and a read sees the writes before it', async () => {
    const requests = Array.from({ length: 50 }, (_, i) => [
      server.written('PUT', `${C}/ahead`, [], `{"n":${i}}`),
      server.written('GET', `${C}/ahead`),
    ]).flat()
    const answer = await server.raw(
      requests.join('') + server.written('DELETE', `${C}/ahead`, ['Connection: close']),
    )
    const numbers = [...answer.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n))
    const expected = Array.from({ length: 50 }, (_, i) => [i, i]).flat()
    assert.deepEqual(numbers, [...expected, 49])
  })

  it('are all answered, however many, by a server that reads few at a time', async () => {
    const text = await server.raw(
      server.written('GET', '/').repeat(5000) + server.written('GET', '/', ['Connection: close']),
    )
    assert.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 5001)
  })
})

describe('a flood of requests behind one that takes long', () => {
  const floods: Readonly<Record<string, string>> = {
    'ordinary requests': 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'the shortest requests': 'GET / HTTP/1.1\r\n\r\n',
    'many headers': `GET / HTTP/1.1\r\n${'a:\r\n'.repeat(900)}\r\n`,
    'a body in small pieces': `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`,
  }
  for (const [about, text] of Object.entries(floods))
    it(`is not read, but for what came with it: ${about}`, async () => {
      const busy = await startTestServer({
        store: { getDocument: () => new Promise<string>(() => {}) },
        limits: { shutdownMs: 0 },
      })
      const [socket, other] = [await busy.connect(), await busy.connect()]
      for (const each of [socket, other]) each.on('error', () => {}).resume()
      let parsed = 0
      const count = (): unknown => ++parsed
      subscribe('http.server.request.start', count)
      socket.write(busy.written('GET', `${C}/x`))
      socket.write(text.repeat(8_000_000 / text.length))
      // Nothing happens: a server that reads on has parsed 8 MB in a fraction of this.
      await wait(500)
      unsubscribe('http.server.request.start', count)
      assert.ok(parsed * text.length < 200_000, `${parsed} requests were parsed`)
      assert.equal((await busy.send('GET', '/')).status, 200)
      await busy.close()
    })
})

describe('a body that nobody reads', () => {
  for (const isBehind of [false, true])
    it(`takes no memory while its request is answered${isBehind ? ', behind another' : ''}`, async () => {
      const busy = await startTestServer({
        store: { getDocument: () => new Promise<string>(() => {}) },
        limits: { shutdownMs: 0 },
      })
      const socket = await busy.connect()
      socket.on('error', () => {}).resume()
      const request = busy.written('GET', `${C}/x`, ['Transfer-Encoding: chunked'])
      const before = process.memoryUsage().arrayBuffers
      socket.write(isBehind ? busy.written('GET', '/') + request : request)
      const chunk = Buffer.from(`400\r\n${'a'.repeat(1024)}\r\n`.repeat(1000))
      for (let i = 0; i < 200; i++) await new Promise((resolve) => socket.write(chunk, resolve))
      const grown = process.memoryUsage().arrayBuffers - before
      // Garbage that is not collected yet counts as well, the client's own among it.
      assert.ok(grown < 64 * 1024 * 1024, `${grown} bytes of 200 MB are held`)
      await busy.close()
    })
})
