import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { openDataFolder } from '../../src/storage/sqlite/files/data-folder.ts'
import { type ServerProcess, startServer } from './start-server.ts'

const OPEN_FILES = 256
const APPS = Array.from({ length: 300 }, (_, n) => `app${n}`)
const ACTOR = 'test'

describe('a server that may open 256 files', () => {
  let folder: string
  let server: ServerProcess
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sheaf-descriptors-'))
    openDataFolder(folder)
    const control = await openAccounts({ dataDir: folder })
    for (const slug of APPS) await control.createApp({ slug, owner: null }, ACTOR)
    await control.close()
    server = await startServer({ folder, openFiles: OPEN_FILES, env: { SHEAF_READER_THREADS: '3' } })
  })
  after(async () => {
    await server?.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers for each of 300 apps, written and read at the same time', async () => {
    const saves = APPS.map(async (app, n) => (await save(app, `{"_id":"a","n":${n}}`)).status)
    assert.deepEqual(new Set(await Promise.all(saves)), new Set([201]))
    for (let round = 0; round < 2; round++) {
      const answers = APPS.flatMap((app, n) => [
        textOf(app, '/a').then((text) => assert.equal(text, `{"_id":"a","n":${n}}`)),
        textOf(app, '?c=true').then((text) => assert.equal(text, String(1 + round))),
        textOf(app, '?q={"n":0}&s={"n":1}&c=true').then((text) => assert.equal(text, n === 0 ? '1' : '0')),
      ])
      await Promise.all(answers)
      const more = APPS.map(async (app) => (await save(app, '{"n":-1}')).status)
      assert.deepEqual(new Set(await Promise.all(more)), new Set([201]))
    }
    assert.equal(server.log, '')
  })

  it('drops connections beyond what it can hold, says why, and goes on', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 300 }, () => server.client.connect()))
    const sockets = opened.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
    assert.match(
      server.log,
      /connections are dropped: 93 are open, as many as are allowed where the process may open 256 files; raise ulimit -n/,
    )
    const answers = APPS.map(async (app) => assert.equal(await textOf(app, '/a?f={"n":0}'), '{"_id":"a"}'))
    await Promise.all(answers)
    const ends = sockets.map((socket: TLSSocket) => {
      socket.destroy()
      return once(socket, 'close')
    })
    await Promise.all(ends)
    const another = server.newClient()
    while ((await another.send('GET', '/').catch(() => undefined))?.status !== 200);
    another.close()
  })

  function save(app: string, body: string) {
    return server.client.send('POST', `/apps/${app}/collections/c`, { body })
  }

  async function textOf(app: string, rest: string): Promise<string> {
    const path = `/apps/${app}/collections/c${encodeURI(rest)}`
    const { status, text } = await server.client.send('GET', path)
    assert.equal(status, 200, text)
    return text
  }
})
