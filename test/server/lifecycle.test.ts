import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServerProcess, startServerFor as started } from './start-server.ts'

const C = '/apps/demo/collections/c'
const WRITERS = 16

interface Written {
  readonly acknowledged: Set<number>
  readonly refused: Set<number>
  /** Called with each that is acknowledged. */
  readonly onAcknowledged: () => void
}

/** Saves documents one by one until the connection ends, and keeps book of what became of each. */
async function write(
  server: ServerProcess,
  writer: number,
  { acknowledged, refused, onAcknowledged }: Written,
): Promise<void> {
  const client = server.newClient(1)
  for (let id = writer; ; id += WRITERS) {
    const answer = await client.send('POST', C, { body: `{"_id":${id}}` }).catch(() => undefined)
    if (answer === undefined) break
    assert.ok(answer.status === 201 || answer.status === 503, answer.text)
    ;(answer.status === 201 ? acknowledged : refused).add(id)
    if (answer.status === 201) onAcknowledged()
  }
  client.close()
}

test('a signal lets every write that is under way be acknowledged or refused, and the exit code is 0', async (t) => {
  let server = await started(t)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const { client, folder, apiKey } = server
    await client.send('DELETE', `${C}?drop=true`)
    const { promise: manyWritten, resolve } = Promise.withResolvers<void>()
    const acknowledged = new Set<number>()
    const onAcknowledged = (): void => (acknowledged.size >= 50 ? resolve() : undefined)
    const written: Written = { acknowledged, refused: new Set(), onAcknowledged }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(server, writer, written))
    await manyWritten
    const began = performance.now()
    assert.equal(await server.stop(signal), 0)
    assert.ok(performance.now() - began < 5000)
    await Promise.all(writers)
    assert.equal(server.log, '')
    server = await started(t, { folder, apiKey })
    const { text } = await server.client.send('GET', `${C}?l=1000000`)
    const found = new Set((JSON.parse(text) as { _id: number }[]).map(({ _id }) => _id))
    assert.ok(written.acknowledged.isSubsetOf(found), 'an acknowledged write is lost')
    assert.ok(written.refused.isDisjointFrom(found), 'a refused write is there')
  }
})

test('a stop closes every file, so that nothing but the databases is left', async (t) => {
  const server = await started(t)
  await server.client.send('POST', C, { body: '{}' })
  assert.equal(await server.stop(), 0)
  const files = [...readdirSync(server.folder), ...readdirSync(join(server.folder, 'apps'))]
  assert.deepEqual(
    files.filter((file) => /-(wal|shm|journal)$/.test(file)),
    [],
  )
})

test('a stop leaves no empty log of an app that nobody used behind', async (t) => {
  const first = await started(t)
  await first.stop()
  const server = await started(t, { folder: first.folder, apiKey: first.apiKey })
  const opened = watch(join(server.folder, 'apps'))
  // Two seconds after the start each app is looked at for indexes that are unfinished.
  await once(opened, 'change')
  opened.close()
  assert.equal(await server.stop(), 0)
  assert.deepEqual(
    readdirSync(join(server.folder, 'apps')).filter((file) => !file.endsWith('.sqlite')),
    [],
  )
})

test('SIGUSR1 opens no debugger, and ends nothing', async (t) => {
  const server = await started(t, { env: { SHEAF_HTTP_THREADS: '2' } })
  process.kill(server.pid, 'SIGUSR1')
  for (let n = 0; n < 20; n += 1) assert.equal((await server.client.send('GET', '/')).status, 200)
  assert.equal(await server.stop(), 0)
  assert.equal(server.log, '')
})

test('a stop waits for no connection that is idle', async (t) => {
  const server = await started(t)
  const sockets = await Promise.all(Array.from({ length: 50 }, () => server.client.connect()))
  for (const socket of sockets) socket.resume()
  const began = performance.now()
  assert.equal(await server.stop(), 0)
  assert.ok(performance.now() - began < 3000)
})

test('a stop waits for a client that reads slowly, as long as it may and no longer', async (t) => {
  const server = await started(t, { env: { SHEAF_LIMIT_SHUTDOWN_MS: '700' } })
  const documents = Array.from({ length: 20 }, (_, n) => `{"_id":${n},"a":"${'x'.repeat(1_000_000)}"}`)
  await server.client.send('POST', C, { body: `[${documents.join(',')}]` })
  const socket = await server.client.connect()
  socket.write(server.client.written('GET', C))
  await once(socket, 'readable')
  const began = performance.now()
  assert.equal(await server.stop(), 0)
  const took = performance.now() - began
  assert.ok(took > 600 && took < 5000, `${took} ms`)
  socket.destroy()
})
