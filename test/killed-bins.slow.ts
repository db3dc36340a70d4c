import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { Connection } from '../src/storage/sqlite/files/connection.ts'
import { appFile } from '../src/storage/sqlite/files/data-folder.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

const PROGRAM = fileURLToPath(new URL('./binning-process.ts', import.meta.url))
const DOCUMENTS = 500

it('a collection is in one place whenever the process is killed that puts it in the bin and brings it back', async (t) => {
  const { store, app, dataDir, reopen, close } = await openSqlite(DEFAULT_LIMITS)
  t.after(close)
  const documents = Array.from({ length: DOCUMENTS }, (_, id) => ({ id, text: `{"_id":${id}}` }))
  await store.saveDocuments({ app, collection: 'c', permitted: ANYTHING, documents })
  await store.close()
  for (const rounds of [1, 6]) {
    const child = spawn(process.execPath, [PROGRAM, dataDir, app], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout }))
      if (Number(line) === rounds) child.kill('SIGKILL')
    assert.deepEqual(await exited, [null, 'SIGKILL'])
    const opened = await reopen()
    const inBin = await opened.store.collections.listBin(app)
    const { collections } = await opened.store.measureApp(app)
    const places = [...inBin, ...collections].filter((place) => place.documents > 0)
    assert.deepEqual(
      places.map((place) => place.documents),
      [DOCUMENTS],
    )
    const [entry] = inBin
    if (entry !== undefined) await opened.store.collections.restore({ app, id: entry.id, as: 'c', now: 0 })
    else if (places[0]!.name === 'd')
      await opened.store.collections.rename({ app, collection: 'd', to: 'c', now: 0 })
    await opened.store.sweepCollections(app)
    await opened.store.close()
    const connection = new Connection(appFile(dataDir, app), 'reader')
    checkCatalog(connection)
    assert.deepEqual(connection.prepare('SELECT name, documents FROM collections').all(), [['c', DOCUMENTS]])
    connection.close()
  }
})
