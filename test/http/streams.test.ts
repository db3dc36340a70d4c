import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { AppError } from '../../src/errors.ts'
import { EncodedBodyCache } from '../../src/http/response/encoded-body-cache.ts'
import type { FindCommand, FindResult } from '../../src/storage/store.ts'
import { startTestServer, type TestServer, textUntilEnd } from './start-test-server.ts'

const C = '/apps/demo/collections/things'
const CHUNK = `{"a":"${'x'.repeat(100_000)}"}`

/** A server whose every find is answered by one function. */
async function serverThatFinds(
  find: (command: FindCommand) => FindResult,
  timeouts: { writeStallMs?: number } = {},
): Promise<TestServer> {
  return startTestServer({ store: { findDocuments: async (command) => find(command) }, timeouts })
}

/** Chunks of an array without end; tells when it was asked to stop. */
function endless(onReturn: () => void) {
  async function* chunks(): AsyncGenerator<string> {
    try {
      for (;;) {
        await setTimeout(0)
        yield `,${CHUNK}`
      }
    } finally {
      onReturn()
    }
  }
  return { first: `[${CHUNK}`, rest: chunks() }
}

describe('a long answer', () => {
  it('comes in pieces, and whole', async () => {
    const server = await startTestServer({ chunkLength: 1000 })
    const body = JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ _id: i, text: 'é'.repeat(50) })))
    await server.send('POST', C, { body })
    const answer = await server.send('GET', C)
    assert.equal(answer.headers['transfer-encoding'], 'chunked')
    assert.equal(answer.headers['content-length'], undefined)
    assert.equal(answer.text, body)
    const first = await server.send('GET', `${C}?fo=true&s={"_id":-1}`)
    assert.equal((first.json as { _id: number })._id, 199)
    assert.equal((await server.send('HEAD', C)).text, '')
    await server.close()
  })

  it('to a bulk save comes in pieces, too', async () => {
    const server = await startTestServer()
    const documents = Array.from({ length: 9000 }, (_, i) => `{"_id":${i},"text":"${'x'.repeat(100)}"}`)
    const answer = await server.send('POST', C, { body: `[${documents.join(', ')}]` })
    assert.equal(answer.status, 201)
    assert.equal(answer.text, `[${documents.join(',')}]`)
    await server.close()
  })

  it('that fails half-way is cut off, never ended', async () => {
    async function* failing(): AsyncGenerator<string> {
      yield `,${CHUNK}`
      throw new AppError('deadline_exceeded', 'too long')
    }
    const server = await serverThatFinds(() => ({ first: `[${CHUNK}`, rest: failing() }))
    await assert.rejects(server.send('GET', C), /aborted|hang up|ECONNRESET/)
    assert.deepEqual(server.faults, [])
    await server.close()
  })

  it('that can not be made ends its connection, at once or later', async (t) => {
    const failure = new Error('no memory for a compressor')
    const { mock } = t.mock.method(EncodedBodyCache.prototype, 'encoded')
    const ways = [() => Promise.reject(failure), () => assert.fail(failure)]
    for (const way of ways) {
      mock.mockImplementation(way)
      const server = await startTestServer({ store: { getDocument: () => CHUNK } })
      const headers = { 'Accept-Encoding': 'gzip' }
      await assert.rejects(server.send('GET', `${C}/x`, { headers }), { code: 'ECONNRESET' })
      assert.deepEqual(server.faults, [['an answer to GET broke off', failure]])
      await server.close()
    }
  })

  it('stops when the client hangs up', async () => {
    let isCancelled = (): boolean => false
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = await serverThatFinds((command) => {
      isCancelled = command.isCancelled!
      return endless(resolve)
    })
    const socket = await server.connect()
    socket.write(server.written('GET', C))
    await once(socket, 'data')
    assert.equal(isCancelled(), false)
    socket.destroy()
    await promise
    assert.equal(isCancelled(), true)
    assert.deepEqual(server.faults, [])
    await server.close()
  })

  it('and a count tell the store when the client hangs up, though nothing of the answer was sent', async (t) => {
    for (const [path, hangUp] of [
      [`${C}?c=true`, (socket: TLSSocket) => socket.destroy()],
      [`${C}?c=true&q={"a":1}`, (socket: TLSSocket) => socket.end()],
      [C, (socket: TLSSocket) => socket.destroy()],
    ] as const) {
      const begun = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      const work = async ({ isCancelled }: { isCancelled?: () => boolean }): Promise<never> => {
        begun.resolve()
        while (isCancelled?.() !== true) await setImmediate()
        ended.resolve()
        throw new AppError('deadline_exceeded', 'nobody waits for the answer any more')
      }
      const server = await startTestServer({ store: { countDocuments: work, findDocuments: work } })
      t.after(() => server.close())
      const socket = await server.connect()
      socket.write(server.written('GET', path))
      await begun.promise
      hangUp(socket)
      await ended.promise
      assert.deepEqual(server.faults, [])
    }
  })

  it('waits for a client that reads slowly, and gives up one that does not read', async () => {
    let chunks = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = await serverThatFinds(
      () => {
        const { first, rest } = endless(resolve)
        async function* counted(): AsyncGenerator<string> {
          for await (const chunk of rest) {
            chunks++
            yield chunk
          }
        }
        return { first, rest: counted() }
      },
      { writeStallMs: 400 },
    )
    const socket = await server.connect()
    socket.on('error', () => {})
    socket.pause()
    socket.write(server.written('GET', C))
    await promise
    // What the sockets' buffers hold, and not more.
    assert.ok(chunks < 200, `${chunks} pieces were taken`)
    socket.destroy()
    await server.close()
  })

  it('is not begun for HEAD', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const server = await serverThatFinds(() => endless(resolve))
    assert.equal((await server.send('HEAD', C)).status, 200)
    await promise
    await server.close()
  })
})

describe('a server that stops', () => {
  it('finishes what is open, drops what is idle, and takes nothing new', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
    const { promise: answer, resolve: release } = Promise.withResolvers<string>()
    const store = {
      getDocument: () => {
        onAsked()
        return answer
      },
    }
    const server = await startTestServer({ store })
    const idle = await server.connect()
    const idleEnded = textUntilEnd(idle)
    const open = server.send('GET', `${C}/x`)
    await asked
    const stopped = server.stop()
    assert.equal(await idleEnded, '')
    await assert.rejects(server.connect())
    release('{"_id":"x"}')
    const { headers, text } = await open
    assert.equal(text, '{"_id":"x"}')
    assert.equal(headers.connection, 'close')
    await stopped
    await server.close()
  })

  it('ends the connection of an answer that had begun, and begins nothing that was sent behind it', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    let finds = 0
    async function* chunks(): AsyncGenerator<string> {
      await gate
      yield ']'
    }
    const server = await serverThatFinds(() => {
      finds++
      return { first: `[${CHUNK}`, rest: chunks() }
    })
    const socket = await server.connect()
    const text = textUntilEnd(socket)
    socket.write(server.written('GET', C) + server.written('GET', C))
    await once(socket, 'data')
    const stopped = server.stop()
    open()
    await stopped
    assert.match(await text, /\]\r\n0\r\n\r\n$/)
    assert.equal(finds, 1)
    await server.close()
  })

  it('waits no longer than it may', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
    const getDocument = (): Promise<string> => {
      onAsked()
      return new Promise(() => {})
    }
    const server = await startTestServer({ store: { getDocument }, limits: { shutdownMs: 100 } })
    const answer = server.send('GET', `${C}/x`)
    answer.catch(() => {})
    await asked
    const began = performance.now()
    await server.close()
    assert.ok(performance.now() - began < 2000)
    await assert.rejects(answer)
  })
})
