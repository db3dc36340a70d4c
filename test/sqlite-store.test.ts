import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DEFAULT_LIMITS, type Limits } from '../src/domain/limits.ts'
import { openControl } from '../src/storage/sqlite/control.ts'
import { appFile, openDataFolder } from '../src/storage/sqlite/data-folder.ts'
import { openSqliteStore } from '../src/storage/sqlite/store.ts'
import { filterOf, type OpenedStore, updateOf } from './contract-harness.ts'
import { describeStore } from './store-contract.ts'

async function openOn(dataDir: string, app: string, limits: Limits): Promise<OpenedStore> {
  const failures: unknown[] = []
  const store = await openSqliteStore({
    dataDir,
    limits,
    serviceNames: ['Service'],
    scanThreads: 2,
    onFailure: (error) => failures.push(error),
  })
  return {
    store,
    app,
    reopen: async () => {
      await store.close()
      return openOn(dataDir, app, limits)
    },
    close: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
      assert.deepEqual(failures, [])
    },
  }
}

async function openFresh(limits: Limits): Promise<OpenedStore & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-store-'))
  openDataFolder(dataDir)
  const control = openControl(dataDir)
  const { id } = await control.createApp('demo')
  await control.close()
  return { ...(await openOn(dataDir, id, limits)), dataDir }
}

describeStore('SQLite', openFresh)

describe('the embedded store', () => {
  it('gives up a read that overruns its deadline while others go on', async (t) => {
    const opened = await openFresh({ ...DEFAULT_LIMITS, queryDeadlineMs: 20 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    const text = `{"t":["${'ab'.repeat(20_000)}"]}`
    for (let i = 0; i < 4; i++)
      await opened.store.saveDocuments({ ...at, documents: Array.from({ length: 250 }, () => ({ text })) })
    await opened.store.saveDocuments({ ...at, documents: [{ id: 'x', text: '{"_id":"x"}' }] })
    const slow = filterOf('{"t":{"$regex":"(a|b|ab)*c"}}')
    const sort = [{ path: ['t'], direction: 1 as const }]
    const hostile = opened.store.findDocuments({ ...at, filter: slow, sort, skip: 0, limit: 10 })
    const write = opened.store.updateDocuments({
      ...at,
      filter: slow,
      update: updateOf('{"$set":{"a":1}}'),
      multi: true,
      upsert: false,
      now: 0,
    })
    const good = opened.store.getDocument({ ...at, ids: ['x'] })
    const [read, written] = await Promise.allSettled([hostile, write])
    assert.equal(await good, '{"_id":"x"}')
    assert.equal(read.status === 'rejected' && read.reason.code, 'deadline_exceeded')
    assert.equal(written.status === 'rejected' && written.reason.code, 'deadline_exceeded')
    assert.deepEqual(
      await opened.store.saveDocuments({ ...at, documents: [{ id: 'y', text: '{"_id":"y"}' }] }),
      [{ created: true }],
    )
  })

  it('refuses at once what its queue has no room for', async (t) => {
    const opened = await openFresh({ ...DEFAULT_LIMITS, queuedRequests: 2 })
    t.after(() => opened.close())
    const at = { app: opened.app, collection: 'c' }
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => opened.store.saveDocuments({ ...at, documents: [{ text: '{}' }] })),
    )
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done'))
    assert.deepEqual(codes, ['done', 'done', 'overloaded', 'overloaded', 'overloaded'])
  })

  it('keeps its files readable by their owner alone', async (t) => {
    const opened = await openFresh(DEFAULT_LIMITS)
    t.after(() => opened.close())
    await opened.store.saveDocuments({ app: opened.app, collection: 'c', documents: [{ text: '{}' }] })
    const file = appFile(opened.dataDir, opened.app)
    for (const path of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(path).mode & 0o777, 0o600)
  })
})
