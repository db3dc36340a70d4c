import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { ClientGone } from '../../src/http/request/receive-body.ts'
import { streamBody } from '../../src/http/request/stream-body.ts'
import { startTestServer, type TestServer } from './start-test-server.ts'

const REQUEST_MS = 400
const IDLE_MS = 400
const leastRate = { bytesPerSecond: 20, overMs: IDLE_MS }

describe('a body that is streamed', () => {
  let server: TestServer
  const events = new EventEmitter()
  /** Waits between two pieces. */
  let pause: () => Promise<unknown> = async () => undefined
  /** Most bytes of a body that had come and nobody had taken. */
  let mostAhead = 0

  before(async () => {
    server = await startTestServer({
      timeouts: { requestMs: REQUEST_MS, headersMs: 400, checkMs: 50, bodyRateCheckMs: 100, lingerMs: 200 },
      dashboard: async ({ request, response, expectsContinue, query }) => {
        let taken = 0
        try {
          for await (const piece of streamBody(request, response, { expectsContinue, leastRate })) {
            taken += piece.length
            mostAhead = Math.max(mostAhead, request.socket.bytesRead - taken)
            events.emit('piece')
            if (query === 'leave') break
            await pause()
          }
        } catch (error) {
          events.emit('failed', error)
          throw error
        }
        return { status: 200, body: String(taken) }
      },
    })
  })
  after(() => server.close())

  const open = async (headers: string): Promise<TLSSocket> => {
    const socket = await server.connect()
    socket.write(`POST /_/x HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`)
    return socket
  }
  const answerOf = async (socket: TLSSocket): Promise<string> => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk
    })
    await once(socket, 'close')
    return text
  }

  it('may take longer than any other request, and comes in whole', async () => {
    const socket = await open('Transfer-Encoding: chunked\r\nConnection: close')
    const answer = answerOf(socket)
    const since = performance.now()
    let sent = 0
    for (; performance.now() - since < 3 * REQUEST_MS; sent++) {
      const piece = once(events, 'piece')
      socket.write('1\r\nx\r\n')
      await Promise.all([piece, later(20)])
    }
    socket.write('0\r\n\r\n')
    const text = await answer
    assert.ok(text.startsWith('HTTP/1.1 200 OK') && text.endsWith(`\r\n${sent}`), text)
  })

  it('of which nothing comes any more is refused, and its connection ends', async () => {
    const socket = await open('Content-Length: 100')
    socket.write('x')
    assert.match(await answerOf(socket), /400 Bad Request[\s\S]*"invalid_request"[\s\S]*too slowly/)
  })

  it('of which a byte comes now and then is refused, too, though it never pauses for long', async () => {
    const socket = await open('Content-Length: 100')
    const answer = answerOf(socket)
    let isAnswered = false
    void answer.then(() => {
      isAnswered = true
    })
    let sent = 0
    for (; sent < 100 && !isAnswered; sent++) {
      socket.write('x')
      await Promise.race([answer, later(IDLE_MS / 4)])
    }
    assert.match(await answer, /400 Bad Request[\s\S]*"invalid_request"[\s\S]*too slowly/)
    assert.ok(sent < 100, `${sent} bytes`)
  })

  it('is not idle while the server works off what has come', async () => {
    pause = () => later(IDLE_MS + 100)
    const socket = await open('Content-Length: 2\r\nConnection: close')
    const answer = answerOf(socket)
    const piece = once(events, 'piece')
    socket.write('x')
    await piece
    socket.write('y')
    assert.match(await answer, /200 OK[\s\S]*\r\n2/)
    pause = async () => undefined
  })

  it('ends with its client', async () => {
    const socket = await open('Content-Length: 100')
    const failed = once(events, 'failed')
    const piece = once(events, 'piece')
    socket.write('x')
    await piece
    socket.destroy()
    assert.ok((await failed)[0] instanceof ClientGone)
  })

  it('comes no faster than it is taken', async () => {
    pause = () => later(1)
    mostAhead = 0
    const body = Buffer.alloc(16 * 1024 * 1024)
    const { text } = await server.send('POST', '/_/x', { body })
    assert.equal(text, String(body.length))
    assert.ok(mostAhead < 1024 * 1024, `${mostAhead} bytes`)
    pause = async () => undefined
  })

  it('is read to its end where nobody wants it, so that its client has the answer', async () => {
    const { status, text } = await server.send('POST', '/_/x?leave', { body: Buffer.alloc(8 * 1024 * 1024) })
    assert.equal(status, 200)
    assert.ok(Number(text) < 1024 * 1024)
    assert.equal((await server.send('POST', '/_/x', { body: 'abc' })).text, '3')
    assert.equal((await server.send('POST', '/_/x', { body: '' })).text, '0')
  })
})
