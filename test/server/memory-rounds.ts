import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import type { Answer } from './client.ts'
import { createMemoryGroup, watchAnonymousMemory } from './memory-group.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const DOCUMENTS = 100_000
const LIST = '/apps/demo/collections/list'
const SAVES = '/apps/demo/collections/saves'

export interface BoundedMemory {
  readonly mib: number
  /** How large the greatest save is that there is room for. */
  readonly mostMegabytes: number
  /** Whether `SHEAF_MEMORY` says how much there is, instead of the system. */
  readonly isConfigured: boolean
}

export function outlivesAll({ mib, mostMegabytes, isConfigured }: BoundedMemory): void {
  describe(`a server with ${mib} MiB of memory${isConfigured ? ', as SHEAF_MEMORY says' : ''}`, () => {
    // Where no control group can be made, all of them are held to what they are told, and their memory is looked at.
    const group = isConfigured ? undefined : createMemoryGroup(mib)
    let folder: string
    let server: ServerProcess
    let peak: () => number | undefined
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sheaf-memory-'))
      const apiKey = await fill(folder)
      const bound =
        group === undefined ? { env: { SHEAF_MEMORY: `${mib}MiB` } } : { cgroupProcs: group.procs }
      server = await startServer({ folder, apiKey, ...bound })
      peak = watchAnonymousMemory(server.pid)
    })
    after(async () => {
      await server?.dispose()
      await group?.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    it('outlives 100 clients that read nothing of a long list, and answers others', async () => {
      const clients = await Promise.all(Array.from({ length: 100 }, () => server.client.connect()))
      const statuses = clients.map(async (socket) => {
        socket.write(server.client.written('GET', `${LIST}?l=1000000`))
        return statusOf(socket)
      })
      const told = new Set(await Promise.all(statuses))
      assert.deepEqual([...told].sort(), ['200', '503'])
      const { status, text } = await server.client.send('GET', `${LIST}/d5`)
      assert.equal(status, 200, text)
      for (const socket of clients) socket.destroy()
      await answersAll()
    })

    it('outlives four saves of 30 MB at once', async () => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => save(n, 30)))
      for (const answer of answers) assertRoomOrRefusal(answer, [201, 413, 503])
      assert.equal(
        answers.some(({ status }) => status === 201),
        mostMegabytes >= 30,
      )
      await answersAll()
    })

    it(`takes one save of ${mostMegabytes} MB`, async () => {
      const { status, text } = await save(5, mostMegabytes)
      assert.equal(status, 201, text.slice(0, 200))
    })

    it('outlives large sorts, writes to every document, saves and unread lists together', async () => {
      const clients = await Promise.all(Array.from({ length: 40 }, () => server.client.connect()))
      for (const socket of clients) socket.write(server.client.written('GET', `${LIST}?l=1000000`))
      const sorts = Array.from({ length: 3 }, (_, n) =>
        server.client.send('GET', `${LIST}?l=20000&sk=${n}&s={"text":1,"n":-1}`),
      )
      const saves = [6, 7, 8, 9].map((n) => save(n, mostMegabytes / 2))
      const update = server.client.send('PUT', `${LIST}?q={}`, { body: '{"$inc":{"n":1}}' })
      for (const answer of await Promise.all([...sorts, ...saves, update]))
        assertRoomOrRefusal(answer, [200, 201, 503])
      for (const socket of clients) socket.destroy()
      await answersAll()
    })

    it('outlives requests that are sent ahead, with many small documents in each', async () => {
      const body = `[${Array.from({ length: 3000 }, () => '{"a":1}').join()}]`
      const one = server.client.written('POST', SAVES, [], body)
      const clients = await Promise.all(Array.from({ length: 50 }, () => server.client.connect()))
      const first = clients.map((socket) => {
        socket.write(one.repeat(20))
        return statusOf(socket)
      })
      for (const status of await Promise.all(first)) assert.match(status, /^(201|503)$/)
      for (const socket of clients) socket.destroy()
      await answersAll()
    })

    it('outlives 1,000 connections, and drops what it has no memory for', async () => {
      const opened = await Promise.allSettled(Array.from({ length: 1000 }, () => server.client.connect()))
      const sockets = opened.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
      assert.ok(sockets.length >= 64, `${sockets.length} connections`)
      for (const socket of sockets) socket.destroy()
      await answersAll()
    })

    it('was never killed, and never took more than its memory', () => {
      assert.ok(server.isRunning())
      if (group !== undefined) assert.equal(group.kills(), 0)
      assert.ok((peak() ?? 0) < mib, `${peak()} MiB`)
    })

    function save(seed: number, megabytes: number): Promise<Answer> {
      const documents = Array.from({ length: megabytes }, (_, n) => ({
        _id: `${seed}-${n}`,
        t: 'y'.repeat(999_900),
      }))
      return server.client.send('POST', SAVES, { body: JSON.stringify(documents) })
    }

    /** Waits until a list is answered again: the server notices in its own time that clients have gone. */
    async function answersAll(): Promise<void> {
      const other = server.newClient(1)
      for (let status = 0; status !== 200; )
        status = (await other.send('GET', `${LIST}?l=1000`).catch(() => ({ status: 0 }))).status
      other.close()
      assert.ok(server.isRunning())
    }
  })
}

/** Fills a folder with a collection of 100,000 documents; answers its key. */
async function fill(folder: string): Promise<string> {
  const server = await startServer({ folder })
  for (let n = 0; n < DOCUMENTS; n += 10_000) {
    const documents = Array.from({ length: 10_000 }, (_, i) => ({
      _id: `d${n + i}`,
      n: n + i,
      text: 'x'.repeat(80),
    }))
    await server.client.send('POST', LIST, {
      body: JSON.stringify(documents),
      headers: { Prefer: 'return=minimal' },
    })
  }
  assert.equal(await server.stop(), 0)
  return server.apiKey
}

/** The status of the answer on a connection of which nothing more is read. */
async function statusOf(socket: TLSSocket): Promise<string> {
  const [head] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => ['closed'])])
  socket.pause()
  return String(head).slice(9, 12)
}

function assertRoomOrRefusal({ status, text, headers }: Answer, statuses: readonly number[]): void {
  assert.ok(statuses.includes(status), `${status} ${text.slice(0, 200)}`)
  if (status === 503) assert.match(String(headers['retry-after']), /^\d+$/)
  if (status === 413) assert.match(text, /"body_too_large".* at most \d+ bytes.*memory/)
}
