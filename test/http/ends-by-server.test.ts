import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { nextRequest } from './next-request.ts'
import { startTestServer, textUntilEnd } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const LARGE = `{"_id":"large","text":"${'x'.repeat(240_000)}"}`

describe('time that runs out', () => {
  it('ends a connection without a word where nothing was asked, or all was answered', async () => {
    const impatient = await startTestServer({
      timeouts: { headersMs: 300, requestMs: 600, checkMs: 50, bodyRateCheckMs: 100_000 },
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
    // Nothing happens: it is the time for a handshake, which must not be counted against this connection.
    await wait(300)
    const answer = textUntilEnd(good)
    good.write(impatient.written('GET', '/', ['Connection: close']))
    assert.match(await answer, /^HTTP\/1\.1 200 OK/)
    await impatient.close()
  })

  it('ends one that is slow with the rest of what was answered', async () => {
    const impatient = await startTestServer({ timeouts: { bodyRateCheckMs: 200 } })
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
    const parsed = nextRequest(120)
    const sockets = await Promise.all(
      [large.repeat(60), large.repeat(59) + post].map(async (text) => {
        const socket = (await stopping.connect()).pause()
        socket.write(text)
        return socket
      }),
    )
    await parsed
    const stopped = stopping.stop()
    await turn()
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

  it('does nothing more for one whose handshake is done meanwhile', async () => {
    const { promise: isOpen, resolve: release } = Promise.withResolvers<string>()
    let writes = 0
    const store = {
      getDocument: () => isOpen,
      saveDocuments: async () => {
        writes++
        return wait(200, [{ text: '{"_id":"x"}', isNew: true }] as never)
      },
    }
    const stopping = await startTestServer({ store })
    const open = await stopping.connect()
    const answer = textUntilEnd(open)
    const tcp = connectTcp(stopping.port, '127.0.0.1')
    await once(tcp, 'connect')
    // The answer shows that the connections before it were accepted.
    await stopping.send('GET', '/validate_key')
    open.write(stopping.written('GET', `${C}/x`))
    await stopping.send('GET', '/validate_key')
    const stopped = stopping.stop()
    const late = connectTls({ socket: tcp, rejectUnauthorized: false })
    late.on('secureConnect', () => late.write(stopping.written('POST', C, [], '{"_id":"x"}')))
    assert.equal(await textUntilEnd(late), '')
    release('{}')
    assert.match(await answer, /^HTTP\/1\.1 200 .*\{\}$/s)
    await stopped
    assert.equal(writes, 0)
    await stopping.close()
  })
})
