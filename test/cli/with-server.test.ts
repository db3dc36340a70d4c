import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { ServerConnection } from '../../src/cli/server-connection.ts'
import { withServer } from '../../src/cli/with-server.ts'
import { lockDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { startServer } from '../server/start-server.ts'
import { success } from './in-process.ts'
import { storeFolder, temporaryFolder } from './run-sheaf.ts'

const NOTES = '/_/api/apps/shop/collections/notes'
const JSON_BODY = { 'Content-Type': 'application/json' }

async function shopFolder(t: TestContext): Promise<string> {
  const data = await storeFolder(t)
  await success(['app', 'create', 'shop', '--data', data])
  return data
}

const where = (data: string) => ({ env: {}, options: { data } })
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const socketOf = (data: string): string => join(data, 'run', 'server.sock')

const save = (server: ServerConnection, body: string) =>
  server.json({ method: 'POST', path: NOTES, headers: JSON_BODY, body })
const list = (server: ServerConnection) => server.json({ method: 'GET', path: NOTES })

describe('a command that needs a server', () => {
  it('refuses a folder without a store, and makes nothing there', async (t) => {
    const data = temporaryFolder(t)
    await assert.rejects(
      withServer(where(data), async () => undefined),
      { code: 'data_folder_unusable', message: /there is no Sheaf data/ },
    )
    assert.ok(!existsSync(join(data, 'run')))
  })

  it('refuses a link in the place of the folder of the socket, whose mode it would change', async (t) => {
    const data = await shopFolder(t)
    const elsewhere = join(data, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o755 })
    symlinkSync(elsewhere, join(data, 'run'))
    await assert.rejects(
      withServer(where(data), async () => undefined),
      { code: 'data_folder_unusable', message: /run in it is no folder/ },
    )
    assert.equal(modeOf(elsewhere), '755')
    lockDataFolder(data).release()
  })

  it('tells of a server that does not answer', async (t) => {
    const socketPath = join(temporaryFolder(t), 'silent.sock')
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(socketPath, resolve))
    t.after(() => silent.close())
    await assert.rejects(ServerConnection.open({ socketPath, user: 'ada', probeMs: 20 }), {
      code: 'data_folder_in_use',
      message: /does not answer at .*silent\.sock/,
    })
  })

  it('tells of a server that listens to no commands', async (t) => {
    const data = await shopFolder(t)
    const lock = lockDataFolder(data)
    t.after(() => lock.release())
    await assert.rejects(
      withServer(where(data), async () => undefined, { reachMs: 0 }),
      { code: 'data_folder_in_use', message: /listens to no commands at .*server\.sock/ },
    )
  })

  it('is one for its time where none runs, by a socket that its user alone can open', async (t) => {
    const data = await shopFolder(t)
    mkdirSync(join(data, 'run'))
    chmodSync(join(data, 'run'), 0o777)
    const documents = await withServer(where(data), async (server) => {
      assert.equal(modeOf(join(data, 'run')), '700')
      assert.equal(modeOf(socketOf(data)), '600')
      await save(server, '{"_id":"a"}')
      return list(server)
    })
    assert.deepEqual(documents, [{ _id: 'a' }])
    assert.ok(!existsSync(socketOf(data)))
    lockDataFolder(data).release()
  })

  it('may do with documents of any app what an owner may, and nothing that takes an account', async (t) => {
    const data = await shopFolder(t)
    await withServer(where(data), async (server) => {
      await assert.rejects(server.json({ method: 'GET', path: '/_/api/account' }), {
        code: 'permission_denied',
        message: /takes an account/,
      })
      await assert.rejects(server.json({ method: 'GET', path: NOTES.replace('shop', 'shopp') }), {
        code: 'app_not_found',
      })
      await assert.rejects(server.json({ method: 'GET', path: '/apps/shop/collections' }), {
        code: 'unknown_path',
      })
      await assert.rejects(server.json({ method: 'GET', path: '/_/account' }), { code: 'unknown_path' })
    })
  })

  it('serves another one that comes meanwhile, for as long as that takes', async (t) => {
    const data = await shopFolder(t)
    const firstIsThere = Promise.withResolvers<void>()
    const firstIsDone = Promise.withResolvers<void>()
    const secondIsThere = Promise.withResolvers<void>()
    const order: string[] = []
    const first = withServer(where(data), async (server) => {
      await save(server, '{"_id":"first"}')
      firstIsThere.resolve()
      await secondIsThere.promise
    })
    await firstIsThere.promise
    const second = withServer(where(data), async (server) => {
      await list(server)
      secondIsThere.resolve()
      await firstIsDone.promise
      await save(server, '{"_id":"second"}')
      order.push('second')
      return list(server)
    })
    await secondIsThere.promise
    // Its own work is done; it goes on for the other.
    setImmediate(() => firstIsDone.resolve())
    await first.then(() => order.push('first'))
    assert.deepEqual(await second, [{ _id: 'first' }, { _id: 'second' }])
    assert.deepEqual(order, ['second', 'first'])
  })

  it('goes by the server that runs, and without one when that was killed', async (t) => {
    const server = await startServer()
    t.after(() => server.dispose())
    const { folder: data } = server
    const path = '/_/api/apps/demo/collections/notes'
    const post = (connection: ServerConnection, body: string) =>
      connection.json({ method: 'POST', path, headers: JSON_BODY, body })
    await withServer(where(data), async (connection) => {
      assert.throws(() => lockDataFolder(data), { code: 'data_folder_in_use' })
      await post(connection, '{"_id":"a"}')
      const { text } = await server.client.send('GET', '/apps/demo/collections/notes')
      assert.equal(text, '[{"_id":"a"}]')
    })
    assert.deepEqual([modeOf(join(data, 'run')), modeOf(socketOf(data))], ['700', '600'])
    await server.kill()
    assert.ok(existsSync(socketOf(data)))
    await withServer(where(data), async (connection) => {
      await post(connection, '{"_id":"b"}')
      assert.deepEqual(await connection.json({ method: 'GET', path }), [{ _id: 'a' }, { _id: 'b' }])
    })
  })

  it('is told where a server breaks off before it answers', async (t) => {
    const data = await shopFolder(t)
    const socketPath = join(data, 'half.sock')
    const half = createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        socket.once('data', () => socket.destroy())
      })
    })
    await new Promise<void>((resolve) => half.listen(socketPath, resolve))
    t.after(() => half.close())
    for (const [method, code] of [
      ['GET', 'store_unavailable'],
      ['POST', 'outcome_unknown'],
    ] as const) {
      const connection = await ServerConnection.open({ socketPath, user: 'ada' })
      await assert.rejects(connection!.request({ method, path: NOTES }), { code })
      connection!.close()
    }
  })
})
