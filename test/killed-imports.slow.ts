import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import { Connection } from '../src/storage/sqlite/files/connection.ts'
import { appFile } from '../src/storage/sqlite/files/data-folder.ts'
import { checkCatalog } from './check-catalog.ts'
import { ANYTHING, filterOf } from './contract-harness.ts'
import { openSqlite } from './open-sqlite.ts'

const PROGRAM = fileURLToPath(new URL('./importing-process.ts', import.meta.url))
const BEFORE = 3000
const IMPORTED = 6000

/** Kills a process that imports when it says a word, and answers how many documents there are of either kind. */
async function killedAt(t: TestContext, word: string): Promise<{ before: number; imported: number }> {
  const { store, app, dataDir, reopen, close } = await openSqlite(DEFAULT_LIMITS)
  t.after(close)
  const at = { app, collection: 'c' }
  const documents = Array.from({ length: BEFORE }, (_, id) => ({
    id,
    text: `{"_id":${id},"imported":false}`,
  }))
  await store.saveDocuments({ ...at, permitted: ANYTHING, documents })
  await store.close()
  const child = spawn(process.execPath, [PROGRAM, dataDir, app, word], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) if (line === word) child.kill('SIGKILL')
  assert.deepEqual(await exited, [null, 'SIGKILL'])
  const opened = await reopen()
  t.after(() => opened.store.close())
  const count = async (isImported: boolean): Promise<number> =>
    opened.store.countDocuments({ ...at, filter: filterOf(`{"imported":${isImported}}`) })
  const result = { before: await count(false), imported: await count(true) }
  await opened.store.sweepCollections(app)
  assert.equal((await opened.store.leftWork(app)).collections, false)
  const connection = new Connection(appFile(dataDir, app), 'reader')
  t.after(() => connection.close())
  checkCatalog(connection)
  return result
}

describe('an import whose process is killed', () => {
  const untouched = { before: BEFORE, imported: 0 }
  const whole = { before: 0, imported: IMPORTED }

  it('has saved nothing before it is finished', async (t) => {
    assert.deepEqual(await killedAt(t, 'added 4'), untouched)
  })

  it('has saved all or nothing at its end', async (t) => {
    const result = await killedAt(t, 'finishing')
    assert.ok([untouched, whole].some((each) => JSON.stringify(each) === JSON.stringify(result)))
  })

  it('has saved all when it is finished', async (t) => {
    assert.deepEqual(await killedAt(t, 'finished'), whole)
  })
})
