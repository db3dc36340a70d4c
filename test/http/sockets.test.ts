import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { startTestServer, type TestServer, textUntilEnd } from './start-test-server.ts'

const C = '/apps/demo/collections/things'

let server: TestServer
before(async () => {
  server = await startTestServer({ limits: { bodyBytes: 100_000 }, timeouts: { lingerMs: 500 } })
})
after(async () => {
  assert.deepEqual(server.faults, [])
  await server.close()
})

function refusal(answer: string): string | undefined {
  assert.match(answer, /^HTTP\/1\.1 4\d\d /)
  assert.match(answer, /\r\nContent-Type: application\/json\r\n/)
  assert.match(answer, /\r\nConnection: close\r\n/)
  return /"code":"(\w+)"/.exec(answer)?.[1]
}

describe('plain HTTP on the HTTPS port', () => {
  it('gets no service', async () => {
    for (const request of [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      `POST ${C} HTTP/1.1\r\nHost: x\r\n\r\n${'x'.repeat(200_000)}`,
    ]) {
      const socket = connectTcp(server.port, '127.0.0.1')
      const answer = textUntilEnd(socket)
      socket.write(request)
      assert.doesNotMatch(await answer, /HTTP/)
    }
  })

  it('and silence end the connection, and nothing else', async () => {
    const impatient = await startTestServer({ timeouts: { handshakeMs: 300 } })
    const silent = connectTcp(impatient.port, '127.0.0.1')
    const halfHello = connectTcp(impatient.port, '127.0.0.1')
    halfHello.write(Buffer.from([22, 3, 1]))
    const garbage = connectTcp(impatient.port, '127.0.0.1')
    garbage.write(Buffer.alloc(100))
    await Promise.all([silent, halfHello, garbage].map(textUntilEnd))
    assert.deepEqual(impatient.faults, [])
    await impatient.close()
  })
})

describe('a TLS handshake', () => {
  it('agrees on HTTP/1.1 or 1.0, and is refused to a client that speaks neither', async () => {
    const agreed = async (ALPNProtocols?: string[]): Promise<string | false | null> => {
      const options = { port: server.port, host: '127.0.0.1', rejectUnauthorized: false }
      const socket = connectTls({ ...options, ...(ALPNProtocols && { ALPNProtocols }) })
      await once(socket, 'secureConnect')
      socket.destroy()
      return socket.alpnProtocol
    }
    assert.equal(await agreed(['h2', 'http/1.1']), 'http/1.1')
    assert.equal(await agreed(['http/1.0', 'http/1.1']), 'http/1.1')
    assert.equal(await agreed(['h2', 'http/1.0']), 'http/1.0')
    assert.equal(await agreed(), false)
    await assert.rejects(agreed(['h2', 'h3']), /no application protocol/i)
  })

  it('may come byte by byte', async () => {
    const relay = createServer((near) => {
      const far = connectTcp(server.port, '127.0.0.1').setNoDelay()
      far.pipe(near).on('error', () => {})
      near.on('data', (chunk: Buffer) => {
        for (const byte of chunk) far.write(Buffer.of(byte))
      })
      near.on('close', () => far.destroy())
    }).listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const { port } = relay.address() as AddressInfo
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    const answer = textUntilEnd(socket)
    socket.write(server.written('GET', '/', ['Connection: close']))
    assert.match(await answer, /^HTTP\/1\.1 200 OK/)
    relay.close()
  })

  it('that is none is refused as TLS refuses, however long it says that it is', async () => {
    for (const bytes of [
      [22, 3, 1, 0, 1, 1],
      [22, 3, 1, 0, 0],
      [22, 3, 1, 255, 255, 1],
      [128, 0, 0, 0, 0],
    ]) {
      const socket = connectTcp(server.port, '127.0.0.1')
      const ended = once(socket, 'close')
      socket.on('error', () => {}).resume()
      socket.write(Buffer.from([...bytes, ...Array.from({ length: 20 }, () => 0)]))
      await ended
    }
  })
})

describe('a malformed request', () => {
  it('gets an answer in JSON, and the connection ends', async () => {
    const key = `X-Service-API-Key: ${server.keys.full}`
    for (const bytes of [
      'garbage\r\n\r\n',
      'GET\r\n\r\n',
      `GET ${C}?q={"a": 1} HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`,
      'GET / HTTP/3.7\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nA: b\u0000c\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n'.replace('A: b', 'A b: c'),
      'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n',
      server.written('POST', C, ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      server.written('POST', C, ['Content-Length: 2', 'Content-Length: 3'], '{}x'),
      server.written('POST', C, ['Content-Length: -1'], '{}'),
      server.written('POST', C, ['Content-Length: 0x2'], '{}'),
      server.written('POST', C, ['Content-Length: +2'], '{}'),
      server.written('POST', C, ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
      'CONNECT host:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    ])
      assert.equal(refusal(await server.raw(bytes)), 'invalid_request', JSON.stringify(bytes.slice(0, 60)))
    const unencoded = await server.raw(Buffer.from(server.written('GET', `${C}/é?q={"a":"ü"}&apiKey=x`)))
    assert.equal(refusal(unencoded), 'invalid_path')
    assert.ok(unencoded.includes(`percent-encoded; write ${C}/%C3%A9?q={\\"a\\":\\"%C3%BC\\"}"}`), unencoded)
    // A path that came in two packets is not known whole.
    const socket = await server.connect()
    const cut = textUntilEnd(socket)
    socket.write(`GET ${C}`, () => socket.write(`/é HTTP/1.1\r\nHost: x\r\n\r\n`))
    assert.match(await cut, /percent-encoded/)
    assert.equal((await server.send('GET', `${C}?c=true`)).text, '0')
  })

  it('is told what is wrong, and its line in the log has the id of the answer', async () => {
    const lines: string[] = []
    const logging = await startTestServer({ lines })
    const cases: [string, RegExp][] = [
      [
        logging.written('POST', C, ['Content-Length: 2', 'Content-Length: 3'], '{}x'),
        /send one Content-Length/,
      ],
      [logging.written('POST', C, ['Transfer-Encoding: chunked'], 'zz\r\n'), /send one Content-Length/],
      ['GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n', /a header has a character/],
      ['FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n', /begins with no method/],
      ['GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', /spaces in the URL/],
    ]
    for (const [bytes, message] of cases) {
      const answer = await logging.raw(bytes)
      assert.match(answer, message)
      const id = /X-Request-Id: (\S+)/.exec(answer)?.[1]
      const [line] = lines.map((each) => JSON.parse(each)).filter((each) => each.id === id)
      assert.equal(line?.level, 'info')
      assert.match(line?.address, /^(127\.0\.0\.1|::1)$/)
      // A request whose head was whole has the line of every request.
      assert.ok(line?.status === 400 || message.test(line?.msg))
    }
    await logging.close()
  })

  it('leaves nothing of what it asked for in the log', async () => {
    const lines: string[] = []
    const logging = await startTestServer({ lines })
    const answer = await logging.raw(logging.written('GET', `${C}?q={"name":"José"}`))
    assert.match(answer, /write q=%7B|write q=\{[^}]*Jos%C3%A9/)
    assert.ok(lines.some((line) => line.includes('has to be percent-encoded')))
    assert.equal(lines.filter((line) => line.includes('Jos')).length, 0)
    await logging.close()
  })

  it('without Host is refused, except from HTTP/1.0', async () => {
    const key = `X-Service-API-Key: ${server.keys.full}`
    const answer = await server.raw(`GET / HTTP/1.1\r\nConnection: close\r\n${key}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 .*invalid_request.*Host/s)
    assert.match(await server.raw(`GET / HTTP/1.0\r\n${key}\r\n\r\n`), /^HTTP\/1\.1 200 OK/)
  })

  it('behind a good one does not take the good one its answer', async () => {
    const answer = await server.raw(`${server.written('GET', '/')}garbage\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 200 OK.*"valid":true.*HTTP\/1\.1 400 Bad Request/s)
  })
})

describe('the target of a request', () => {
  it('may be absolute', async () => {
    const answer = await server.raw(
      server.written('GET', 'https://localhost/validate_key?x=1', ['Connection: close']),
    )
    assert.match(answer, /^HTTP\/1\.1 200 OK/)
    assert.match(await server.raw(server.written('OPTIONS', '*', ['Connection: close'])), /^HTTP\/1\.1 404 /)
  })
})

describe('a body', () => {
  it('that is too large by its declared length is refused before it is sent', async () => {
    const answer = await server.raw(server.written('POST', C, ['Content-Length: 100001']))
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.equal(refusal(answer), 'body_too_large')
    const waiting = await server.raw(
      server.written('POST', C, ['Content-Length: 100001', 'Expect: 100-continue']),
    )
    assert.match(waiting, /^HTTP\/1\.1 413 /)
  })

  it('that grows too large is refused while it comes, and the client reads why', async () => {
    const big = await server.send('POST', C, { body: `{"a":"${'x'.repeat(3_000_000)}"}` })
    assert.equal(big.status, 413)
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const answer = await server.raw(
      server.written('POST', C, ['Transfer-Encoding: chunked'], chunk.repeat(100)),
    )
    assert.equal(refusal(answer), 'body_too_large')
  })

  it('in chunks is read as one, and the connection goes on', async () => {
    const chunked = server.written(
      'POST',
      C,
      ['Transfer-Encoding: chunked'],
      '8\r\n{"_id":"\r\n3\r\nc"}\r\n0\r\n\r\n',
    )
    const answer = await server.raw(chunked + server.written('DELETE', `${C}/c`, ['Connection: close']))
    assert.match(answer, /^HTTP\/1\.1 201 Created.*\{"_id":"c"\}HTTP\/1\.1 200 OK.*\{"_id":"c"\}$/s)
  })

  it('that waits to be asked for is asked for when it is wanted', async () => {
    const headers = ['Expect: 100-continue', 'Connection: close']
    const wanted = await server.raw(server.written('PUT', `${C}/e`, headers, '{"a":1}'))
    assert.match(wanted, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created/)
    const unwanted = await server.raw(server.written('PUT', '/nowhere', ['Expect: 100-continue'], '{"a":1}'))
    assert.match(unwanted, /^HTTP\/1\.1 404 .*Connection: close/s)
    const other = await server.raw(
      server.written('DELETE', `${C}/e`, ['Expect: miracles', 'Connection: close']),
    )
    assert.match(other, /^HTTP\/1\.1 200 OK/)
  })

  it('with a read is thrown away', async () => {
    const answer = await server.raw(
      server.written('GET', `${C}?c=1`, [], '{"x":1}') + server.written('GET', '/', ['Connection: close']),
    )
    assert.equal([...answer.matchAll(/HTTP\/1\.1 200 OK/g)].length, 2)
  })
})

describe('a slow client', () => {
  it('that does not finish its headers or its body is let go', async () => {
    const impatient = await startTestServer({ timeouts: { headersMs: 600, requestMs: 1000, checkMs: 50 } })
    const headers = `Host: localhost\r\nX-Service-API-Key: ${impatient.keys.full}\r\n`
    const halfBody = `POST ${C} HTTP/1.1\r\n${headers}Content-Length: 100\r\n\r\n{"_id":`
    const answers = [`GET / HTTP/1.1\r\n${headers}X-A: `, halfBody].map((text) => impatient.raw(text))
    for (const answer of answers) {
      assert.equal(refusal(await answer), 'invalid_request')
      assert.match(await answer, /too long to arrive/)
    }
    assert.equal((await impatient.send('GET', `${C}?c=true`)).text, '0')
    await impatient.close()
  })

  it('that hangs up in the middle of a request leaves nothing behind', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = await server.connect()
      socket.write(server.written('POST', C, ['Content-Length: 100'], '{"_id":"half"'))
      socket.resume()
      if (i % 2 === 0) socket.end()
      else socket.destroy()
      await once(socket, 'close')
    }
    assert.equal((await server.send('GET', `${C}?c=true`)).text, '0')
  })

  it('is no burden, be there a thousand', async () => {
    const sockets = Array.from({ length: 1000 }, () => connectTcp(server.port, '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    assert.equal((await server.send('GET', '/')).status, 200)
    for (const socket of sockets) socket.destroy()
  })
})
