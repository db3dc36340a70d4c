import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { assertRefused } from './answers.ts'
import { Bystander, TARGET } from './bystander.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const IDLE = 1000
const LARGE = '/apps/demo/collections/large'
/** 24 MiB in documents of 128 KiB. */
const LARGE_DOCUMENTS = 192
const LARGE_LENGTH = 128 * 1024
/** What slow clients may cost altogether: much less than one answer for each of them. */
const MEMORY_MIB = 300

let server: ServerProcess
let bystander: Bystander
before(async () => {
  server = await startServer()
  bystander = await Bystander.of(server)
  const text = 'x'.repeat(LARGE_LENGTH)
  for (let from = 0; from < LARGE_DOCUMENTS; from += 96) {
    const documents = Array.from({ length: 96 }, (_, index) => `{"_id":${from + index},"text":"${text}"}`)
    const saved = await server.client.send('POST', LARGE, { body: `[${documents.join(',')}]` })
    assert.equal(saved.status, 201)
  }
})
after(async () => {
  await bystander?.stop()
  await server?.dispose()
})

/** Checks that what clients do leaves the server's memory within bounds while they do it. */
async function boundedDuring(act: () => Promise<unknown>): Promise<void> {
  const before = server.memoryMiB() ?? 0
  await act()
  const grown = Math.round((server.memoryMiB() ?? 0) - before)
  assert.ok(grown < MEMORY_MIB, `the server's memory grew by ${grown} MiB`)
}

function connections(count: number): Promise<TLSSocket[]> {
  return Promise.all(Array.from({ length: count }, () => server.client.connect()))
}

/** The first bytes that come, of a connection whose end is a failure. */
function firstBytes(socket: TLSSocket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('the connection is closed'))
    if (socket.closed) return fail()
    socket.once('close', fail)
    socket.once('data', (bytes: Buffer) => {
      socket.off('close', fail)
      resolve(bytes)
    })
  })
}

function destroyAll(sockets: readonly TLSSocket[]): Promise<unknown> {
  return Promise.all(
    sockets.map((socket) => {
      socket.resume()
      socket.destroy()
      return socket.closed ? undefined : once(socket, 'close')
    }),
  )
}

describe('a method', () => {
  it('that a path does not take is refused, with those that it takes', async () => {
    const odd = ['PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LINK', 'MKCOL', 'SEARCH', 'LOCK', 'QUERY']
    await bystander.holdsDuring(async () => {
      for (const [path, taken] of [
        [TARGET, 'GET, HEAD, POST, PUT, DELETE'],
        [`${TARGET}/1`, 'GET, HEAD, POST, PUT, DELETE'],
        ['/apps/demo/collections', 'GET, HEAD'],
        ['/apps', 'GET, HEAD'],
        ['/', 'GET, HEAD'],
        ['/validate_key', 'GET, HEAD'],
      ] as const)
        for (const method of [...odd, 'POST', 'PUT', 'DELETE'].filter((one) => !taken.includes(one))) {
          const answer = await server.client.send(method, path, { body: '{"x":1}' })
          assertRefused(answer, 'method_not_allowed', `${method} ${path}`, 405)
          assert.equal(answer.headers.allow, taken)
        }
    })
  })

  it('that there is not is refused', async () => {
    await bystander.holdsDuring(async () => {
      for (const method of ['FROBNICATE', 'get', 'G ET', '', 'GET\u0000', 'DELETEX'])
        assert.match(
          await server.client.raw(server.client.written(method, TARGET)),
          /^HTTP\/1\.1 400 /,
          method,
        )
    })
  })
})

describe('a client that asks ahead and reads nothing', () => {
  it('is made to wait for the answers before', async () => {
    const path = '/apps/demo/collections/half/1'
    await server.client.send('PUT', path, { body: `{"text":"${'x'.repeat(500_000)}"}` })
    await bystander.holdsDuring(() =>
      boundedDuring(async () => {
        const sockets = await connections(3)
        for (const socket of sockets) socket.pause().write(server.client.written('GET', path).repeat(900))
        // Nothing happens: a server that went on would have made a gigabyte of answers meanwhile.
        await wait(2000)
        await destroyAll(sockets)
      }),
    )
  })
})

describe('a client that hangs up', () => {
  it('in the middle of a request leaves nothing behind', async () => {
    const body = `{"_id":"half","text":"${'x'.repeat(100_000)}"}`
    const whole = server.client.written('POST', TARGET, [], body)
    await bystander.holdsDuring(async () => {
      for (const length of [
        1,
        20,
        100,
        200,
        whole.length - body.length,
        whole.length - 50_000,
        whole.length - 1,
      ])
        for (const end of ['end', 'destroy'] as const) {
          const socket = await server.client.connect()
          await new Promise((resolve) => socket.resume().write(whole.slice(0, length), resolve))
          socket[end]()
          if (!socket.closed) await once(socket, 'close')
        }
      const chunked = server.client.written('PUT', `${TARGET}?q={}`, ['Transfer-Encoding: chunked'])
      const socket = await server.client.connect()
      socket.write(`${chunked}12\r\n{"$set":{"x":1}}\r\n\r\n`)
      socket.end()
      socket.resume()
      await once(socket, 'close')
    })
  })

  it('before the answer leaves a document that is whole or none', async () => {
    const path = '/apps/demo/collections/unread'
    const text = (n: number): string => `{"_id":${n},"text":"${'x'.repeat(1000)}"}`
    await bystander.holdsDuring(async () => {
      const sockets = await connections(40)
      const writes = sockets.map(
        (socket, n) =>
          new Promise((resolve) => socket.write(server.client.written('POST', path, [], text(n)), resolve)),
      )
      await Promise.all(writes)
      await destroyAll(sockets)
    })
    const saved = JSON.parse((await server.client.send('GET', path)).text) as { _id: number }[]
    for (const document of saved) assert.equal(JSON.stringify(document), text(document._id))
  })

  it('in the middle of a long answer costs the server nothing', async () => {
    await bystander.holdsDuring(() =>
      boundedDuring(async () => {
        for (const query of ['l=1000000', 's={"text":1}&l=1000000', 'q={"text":{"$regex":"^x+$"}}']) {
          const sockets = await connections(12)
          for (const socket of sockets) socket.write(server.client.written('GET', `${LARGE}?${query}`))
          await Promise.all(sockets.map((socket) => once(socket, 'data')))
          await destroyAll(sockets)
        }
      }),
    )
  })
})

describe('a client that reads slowly', () => {
  it('gets all of a long answer in the end, and none is kept for it meanwhile', async () => {
    await bystander.holdsDuring(() =>
      boundedDuring(async () => {
        const sockets = await connections(16)
        for (const socket of sockets) socket.write(server.client.written('GET', `${LARGE}?l=1000000`))
        await Promise.all(sockets.map((socket) => once(socket, 'readable')))
        // Nothing happens: a server that kept what is not taken would have made all sixteen answers by now.
        await wait(300)
        assert.ok((await lengthToEnd(sockets[0]!)) > LARGE_DOCUMENTS * LARGE_LENGTH)
        await destroyAll(sockets)
      }),
    )
  })
})

/** The length of a chunked answer, read to its end. */
async function lengthToEnd(socket: TLSSocket): Promise<number> {
  let length = 0
  let tail = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    length += chunk.length
    tail = (tail + chunk.toString('latin1')).slice(-8)
    if (tail === ']\r\n0\r\n\r\n') break
  }
  return length
}

describe('a slow body', () => {
  it('is waited for while others are served, and saved whole', async () => {
    const path = '/apps/demo/collections/slow'
    await bystander.holdsDuring(async () => {
      const sockets = await connections(30)
      const answers = sockets.map((socket) => once(socket, 'data') as Promise<[Buffer]>)
      const texts = sockets.map((_, n) => `{"_id":${n},"a":"${'é'.repeat(20)}"}`)
      const bytes = sockets.map((_, n) => Buffer.from(server.client.written('POST', path, [], texts[n])))
      const longest = Math.max(...bytes.map(({ length }) => length))
      for (let at = 0; at < longest; at++) {
        const writes = sockets.map(
          (socket, n) => new Promise((resolve) => socket.write(bytes[n]!.subarray(at, at + 1), resolve)),
        )
        await Promise.all(writes)
      }
      for (const [n, [answer]] of (await Promise.all(answers)).entries())
        assert.ok(answer.toString().endsWith(`\r\n\r\n${texts[n]}`))
      await destroyAll(sockets)
    })
  })
})

describe(`${IDLE} idle connections`, () => {
  it('are no burden to others, and each can be used', async () => {
    const sockets: TLSSocket[] = []
    const use = async (socket: TLSSocket): Promise<void> => {
      socket.write(server.client.written('GET', `${TARGET}/1`))
      assert.match((await firstBytes(socket)).toString(), /^HTTP\/1\.1 200 OK\r\n.*\{"_id":1,"a":1\}$/s)
    }
    // A connection is kept for 65 s after a request, and for 20 s without one: a busy machine opens a thousand in as many.
    const used: TLSSocket[] = []
    await bystander.holdsDuring(async () => {
      for (let count = 0; count < IDLE; count += 20) {
        sockets.push(...(await connections(20)))
        if (count % 100 > 0) continue
        const socket = sockets.at(-1)!
        await use(socket.setTimeout(0))
        used.push(socket)
      }
    })
    await bystander.holdsDuring(async () => {
      for (const socket of [...used, ...sockets.slice(-10)]) await use(socket)
    })
    assert.ok((server.memoryMiB() ?? 0) < 1000)
    await destroyAll(sockets)
  })
})
