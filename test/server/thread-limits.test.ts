import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { assertRefused } from './answers.ts'
import { clientsByThread, closeAll, threadOf } from './by-thread.ts'
import type { Client } from './client.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const TWO = { SHEAF_HTTP_THREADS: '2' }
/** So that no request is turned away because the machine is busy. */
const PATIENT = { ...TWO, SHEAF_LIMIT_EVENT_LOOP_DELAY_MS: '2147483647' }
const C = '/apps/demo/collections/c'
const NOTICE_MS = 1000
const BODY = `{"t":"${'x'.repeat(900)}"}`

describe('limits of two threads', () => {
  it('on connections hold for both together', async (t) => {
    const bounded = await startServer({ env: { ...TWO, SHEAF_LIMIT_OPEN_CONNECTIONS: '20' } })
    t.after(() => bounded.dispose())
    const opened = await Promise.allSettled(Array.from({ length: 60 }, () => bounded.client.connect()))
    const sockets = opened.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
    assert.equal(sockets.length, 20)
    const [first] = sockets as [TLSSocket]
    first.destroy()
    await once(first, 'close')
    const again = await connected(bounded)
    for (const socket of [...sockets, again]) socket.destroy()
  })

  it('on open requests hold for both together', async (t) => {
    const bounded = await startServer({ env: { ...PATIENT, SHEAF_LIMIT_OPEN_REQUESTS: '4' } })
    const clients = await clientsByThread(bounded, { threads: 2, each: 1 })
    t.after(async () => {
      closeAll(clients)
      await bounded.dispose()
    })
    const open: Held[] = []
    while (open.length < 4) open.push(await held(bounded, '{'))
    for (const client of clients.flat())
      assertRefused(await client.send('GET', '/'), 'overloaded', 'a fifth', 503)
    for (const { socket } of open) socket.destroy()
    for (const client of clients.flat()) while ((await client.send('GET', '/')).status !== 200);
  })

  it('on the bodies of all open requests hold for both together', async (t) => {
    const env = { ...PATIENT, SHEAF_LIMIT_BODY_BYTES: '1000', SHEAF_LIMIT_HELD_BODY_BYTES: '1000' }
    const bounded = await startServer({ env })
    const clients = await clientsByThread(bounded, { threads: 2, each: 1 })
    t.after(async () => {
      closeAll(clients)
      await bounded.dispose()
    })
    const open = await held(bounded, '{"a":"'.padEnd(600))
    for (const client of await beginningWith(open.thread, clients))
      assertRefused(await client.send('POST', C, { body: BODY }), 'overloaded', 'a second body', 503)
    open.socket.destroy()
    for (const client of clients.flat())
      while ((await client.send('POST', C, { body: BODY })).status !== 201);
  })
})

/** A request whose body does not end, and the thread that has it. */
interface Held {
  readonly socket: TLSSocket
  readonly thread: string
}

/**
 * Sends a request with a part of its body, as soon as the server has room for it. The server has begun to read the body
 * when it says `100 Continue`, and whatever its thread reads after that it reads after this part, which came in the
 * same record of TLS.
 */
async function held(bounded: ServerProcess, part: string): Promise<Held> {
  const head = ['Content-Length: 1000', 'Expect: 100-continue']
  for (;;) {
    const socket = await bounded.client.connect()
    socket.write(bounded.client.written('HEAD', '/'))
    const thread = /^x-request-id: (\w+)-/im.exec(await textUntil(socket, /\r\n\r\n/))![1]!
    socket.write(bounded.client.written('POST', C, head, part))
    if ((await textUntil(socket, /\r\n\r\n/)).startsWith('HTTP/1.1 100 ')) return { socket, thread }
    socket.destroy()
  }
}

async function textUntil(socket: TLSSocket, end: RegExp): Promise<string> {
  let text = ''
  while (!end.test(text)) text += String((await once(socket, 'data'))[0])
  return text
}

/** One client for each thread, that thread's first. */
async function beginningWith(
  thread: string,
  clients: readonly (readonly Client[])[],
): Promise<readonly Client[]> {
  const all = clients.flat()
  const isFirst = await Promise.all(
    all.map(async (client) => threadOf(await client.send('GET', '/')) === thread),
  )
  assert.equal(isFirst.filter(Boolean).length, 1)
  return [...all.filter((_, index) => isFirst[index]), ...all.filter((_, index) => !isFirst[index])]
}

/** A connection, as soon as the server has noticed that there is room for it. */
async function connected(bounded: ServerProcess): Promise<TLSSocket> {
  const end = performance.now() + NOTICE_MS
  for (;;) {
    const socket = await bounded.client.connect().catch(() => undefined)
    if (socket !== undefined) return socket
    assert.ok(performance.now() < end, 'there is no room for another connection')
  }
}
